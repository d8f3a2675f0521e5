#include "export/sqlite.h"

#include <fmt/format.h>
#include <sqlite3.h>

namespace railyard {

SqliteConnection::SqliteConnection(const std::filesystem::path& path, bool may_create) {
  constexpr int kPatience = 60'000;  // ms
  sqlite3* opened = nullptr;
  const int mode = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;  // a connection stays with one thread
  const int status = sqlite3_open_v2(path.c_str(), &opened, mode | (may_create ? SQLITE_OPEN_CREATE : 0), nullptr);
  connection_.reset(opened);
  if (status != SQLITE_OK) throw SqliteError{opened ? sqlite3_errmsg(opened) : "no memory"};
  sqlite3_busy_timeout(opened, kPatience);
}

void SqliteConnection::Closer::operator()(sqlite3* connection) const { sqlite3_close(connection); }

void SqliteConnection::fail() const { throw SqliteError{sqlite3_errmsg(connection_.get())}; }

void SqliteConnection::execute(const std::string& sql) {
  if (sqlite3_exec(connection_.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail();
}

std::int64_t SqliteConnection::number(const std::string& sql) {
  SqliteStatement statement(*this, sql);
  return statement.step() ? statement.whole(0) : 0;
}

std::int64_t SqliteConnection::last_id() const { return sqlite3_last_insert_rowid(connection_.get()); }

std::int64_t SqliteConnection::changes() const { return sqlite3_changes64(connection_.get()); }

std::string SqliteConnection::bytes() const {
  sqlite3_int64 size = 0;
  unsigned char* const data = sqlite3_serialize(connection_.get(), "main", &size, 0);
  if (!data) fail();
  std::string out(reinterpret_cast<const char*>(data), static_cast<std::size_t>(size));
  sqlite3_free(data);
  return out;
}

SqliteStatement::SqliteStatement(SqliteConnection& connection, std::string_view sql) : connection_(connection) {
  sqlite3_stmt* made = nullptr;
  const int status = sqlite3_prepare_v2(connection.get(), sql.data(), static_cast<int>(sql.size()), &made, nullptr);
  statement_.reset(made);
  if (status != SQLITE_OK) connection.fail();
}

void SqliteStatement::Finalizer::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

void SqliteStatement::reset() { sqlite3_reset(statement_.get()); }

bool SqliteStatement::step() {
  const int status = sqlite3_step(statement_.get());
  if (status != SQLITE_ROW && status != SQLITE_DONE) connection_.fail();
  return status == SQLITE_ROW;
}

std::int64_t SqliteStatement::whole(int column) const { return sqlite3_column_int64(statement_.get(), column); }

std::string SqliteStatement::text(int column) const {
  const auto* const begin = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  return begin ? std::string(begin, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))) : std::string();
}

SqliteCell SqliteStatement::cell(int column) const {
  switch (sqlite3_column_type(statement_.get(), column)) {
    case SQLITE_NULL:
      return {};
    case SQLITE_INTEGER:
      return whole(column);
    case SQLITE_FLOAT:
      return sqlite3_column_double(statement_.get(), column);
    default:
      return text(column);
  }
}

SqliteStatement& SqliteStatement::with_cells(std::span<const SqliteCell> cells) {
  reset();
  int place = 0;
  for (const SqliteCell& cell : cells) {
    place++;
    if (const auto* const number = std::get_if<std::int64_t>(&cell))
      bind(place, *number);
    else if (const auto* const real = std::get_if<double>(&cell))
      bind(place, *real);
    else if (const auto* const words = std::get_if<std::string>(&cell))
      bind(place, *words);
    else
      bind_null(place);
  }
  return *this;
}

void SqliteStatement::bind_null(int place) {
  if (sqlite3_bind_null(statement_.get(), place) != SQLITE_OK) connection_.fail();
}

void SqliteStatement::bind(int place, std::int64_t value) {
  if (sqlite3_bind_int64(statement_.get(), place, value) != SQLITE_OK) connection_.fail();
}

void SqliteStatement::bind(int place, double value) {
  if (sqlite3_bind_double(statement_.get(), place, value) != SQLITE_OK) connection_.fail();
}

void SqliteStatement::bind(int place, std::string_view value) {
  const auto size = static_cast<sqlite3_uint64>(value.size());
  if (sqlite3_bind_text64(statement_.get(), place, value.data(), size, SQLITE_STATIC, SQLITE_UTF8) != SQLITE_OK)
    connection_.fail();
}

SqliteRows::SqliteRows(SqliteConnection& connection, std::string table, std::size_t columns)
    : connection_(connection), table_(std::move(table)), columns_(columns) {
  waiting_.reserve(kRowsAtOnce * columns_);
}

std::string SqliteRows::statement_for(std::size_t rows) const {
  std::string row = "(?";
  for (std::size_t i = 1; i < columns_; i++) row += ",?";
  std::string sql = fmt::format("INSERT INTO {} VALUES {})", table_, row);
  for (std::size_t i = 1; i < rows; i++) sql += fmt::format(",{})", row);
  return sql;
}

void SqliteRows::write(SqliteStatement& statement) {
  statement.reset();
  int place = 0;
  for (const Value& value : waiting_) std::visit([&](const auto& one) { statement.bind(++place, one); }, value);
  statement.run();
  waiting_.clear();
}

void SqliteRows::write_batch() {
  if (!batch_) batch_ = std::make_unique<SqliteStatement>(connection_, statement_for(kRowsAtOnce));
  write(*batch_);
}

void SqliteRows::finish() {
  if (waiting_.empty()) return;
  SqliteStatement rest(connection_, statement_for(waiting_.size() / columns_));
  write(rest);
}

SqliteTransaction::SqliteTransaction(SqliteConnection& connection) : connection_(connection) {
  connection_.execute("BEGIN IMMEDIATE");  // two that both read first could not both write
}

SqliteTransaction::~SqliteTransaction() {
  if (open_) sqlite3_exec(connection_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void SqliteTransaction::commit() {
  connection_.execute("COMMIT");
  open_ = false;
}

}  // namespace railyard
