// SQLite as this module uses it: a connection and statements that close themselves, and errors as sentences.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace railyard {

/// What SQLite said went wrong.
struct SqliteError {
  std::string sentence;
};

class SqliteStatement;

/// A value of a column, whatever it is.
using SqliteCell = std::variant<std::monostate, std::int64_t, double, std::string>;

/// Throws SqliteError from all that fails.
class SqliteConnection {
 public:
  /// Opens a database, or makes one. Waits a minute for others that write.
  SqliteConnection(const std::filesystem::path& path, bool may_create);

  void execute(const std::string& sql);
  [[nodiscard]] std::int64_t number(const std::string& sql);
  [[nodiscard]] std::int64_t last_id() const;
  [[nodiscard]] std::int64_t changes() const;
  /// The file that this database would be.
  [[nodiscard]] std::string bytes() const;
  [[noreturn]] void fail() const;
  [[nodiscard]] sqlite3* get() const { return connection_.get(); }

 private:
  struct Closer {
    void operator()(sqlite3* connection) const;
  };
  std::unique_ptr<sqlite3, Closer> connection_;
};

class SqliteStatement {
 public:
  SqliteStatement(SqliteConnection& connection, std::string_view sql);

  /// Sets the parameters in their order, from the first.
  template<class... Values>
  SqliteStatement& with(const Values&... values) {
    reset();
    int place = 0;
    (bind(++place, values), ...);
    return *this;
  }
  /// The same from a list, which must live until the statement has run.
  SqliteStatement& with_cells(std::span<const SqliteCell> cells);

  /// The next row. False if there is none.
  bool step();
  /// For what gives no rows.
  void run() {
    while (step()) continue;
  }

  [[nodiscard]] std::int64_t whole(int column) const;
  [[nodiscard]] std::string text(int column) const;
  [[nodiscard]] SqliteCell cell(int column) const;

 private:
  friend class SqliteRows;
  struct Finalizer {
    void operator()(sqlite3_stmt* statement) const;
  };
  void reset();
  void bind(int place, std::int64_t value);
  void bind(int place, std::uint64_t value) { bind(place, static_cast<std::int64_t>(value)); }
  void bind(int place, std::uint32_t value) { bind(place, std::int64_t{value}); }
  void bind(int place, double value);
  void bind_null(int place);
  void bind(int place, std::string_view value);  // which must live until the statement has run
  void bind(int place, const std::string& value) { bind(place, std::string_view(value)); }
  void bind(int place, const char* value) { bind(place, std::string_view(value)); }

  SqliteConnection& connection_;
  std::unique_ptr<sqlite3_stmt, Finalizer> statement_;
};

/// Rows that go into one table, several with each statement: that takes half the time of one by one.
class SqliteRows {
 public:
  /// `table`: its name, and its columns where it is not all of them: "ports (run, port)".
  SqliteRows(SqliteConnection& connection, std::string table, std::size_t columns);

  /// One row. Texts must live until finish().
  template<class... Values>
  void add(const Values&... values) {
    (waiting_.push_back(value_of(values)), ...);
    if (waiting_.size() == kRowsAtOnce * columns_) write_batch();
  }
  /// What is left. Nothing is added after it.
  void finish();

 private:
  using Value = std::variant<std::int64_t, double, std::string_view>;
  static constexpr std::size_t kRowsAtOnce = 32;

  static Value value_of(std::int64_t value) { return value; }
  static Value value_of(std::uint64_t value) { return static_cast<std::int64_t>(value); }
  static Value value_of(std::uint32_t value) { return std::int64_t{value}; }
  static Value value_of(double value) { return value; }
  static Value value_of(std::string_view value) { return value; }
  static Value value_of(const std::string& value) { return std::string_view(value); }

  [[nodiscard]] std::string statement_for(std::size_t rows) const;
  void write(SqliteStatement& statement);
  void write_batch();

  SqliteConnection& connection_;
  const std::string table_;
  const std::size_t columns_;
  std::vector<Value> waiting_;
  std::unique_ptr<SqliteStatement> batch_;  // made with the first that is full
};

/// All that happens between its making and commit() happens, or nothing.
class SqliteTransaction {
 public:
  explicit SqliteTransaction(SqliteConnection& connection);
  ~SqliteTransaction();
  void commit();

 private:
  SqliteConnection& connection_;
  bool open_ = true;
};

}  // namespace railyard
