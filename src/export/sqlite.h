// SQLite as this module uses it: a connection and statements that close themselves, and errors as sentences.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace railyard {

/// What SQLite said went wrong.
struct SqliteError {
  std::string sentence;
};

class SqliteStatement;

/// Throws SqliteError from all that fails.
class SqliteConnection {
 public:
  /// Opens a database, or makes one. Waits a minute for others that write.
  SqliteConnection(const std::filesystem::path& path, bool may_create);

  void execute(const std::string& sql);
  [[nodiscard]] std::int64_t number(const std::string& sql);
  [[nodiscard]] std::int64_t last_id() const;
  [[nodiscard]] std::int64_t changes() const;
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
  /// The next row. False if there is none.
  bool step();
  /// For what gives no rows.
  void run() {
    while (step()) continue;
  }

  [[nodiscard]] std::int64_t whole(int column) const;
  [[nodiscard]] std::string text(int column) const;

 private:
  struct Finalizer {
    void operator()(sqlite3_stmt* statement) const;
  };
  void reset();
  void bind(int place, std::int64_t value);
  void bind(int place, std::uint64_t value) { bind(place, static_cast<std::int64_t>(value)); }
  void bind(int place, std::uint32_t value) { bind(place, std::int64_t{value}); }
  void bind(int place, double value);
  void bind(int place, std::string_view value);  // which must live until the statement has run
  void bind(int place, const std::string& value) { bind(place, std::string_view(value)); }
  void bind(int place, const char* value) { bind(place, std::string_view(value)); }

  SqliteConnection& connection_;
  std::unique_ptr<sqlite3_stmt, Finalizer> statement_;
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
