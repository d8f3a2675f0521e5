#include "export/run_store.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <functional>

#include "base/json.h"
#include "export/csv_tables.h"
#include "export/sqlite.h"
#include "export/store_rows.h"

namespace railyard {

namespace {

constexpr std::int64_t kApplication = 0x52594C44;  // "RYLD", in the header of the file

constexpr const char* kTables = R"(
CREATE TABLE runs (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, file TEXT NOT NULL, engine TEXT NOT NULL,
  fingerprint TEXT NOT NULL, version TEXT NOT NULL, created TEXT NOT NULL, command TEXT NOT NULL, scenario TEXT NOT NULL,
  answer TEXT NOT NULL, results TEXT NOT NULL);
CREATE TABLE figures (run INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE, key TEXT NOT NULL, value,
  PRIMARY KEY (run, key)) WITHOUT ROWID;
CREATE TABLE ports (run INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE, port INTEGER NOT NULL, name TEXT NOT NULL,
  tier TEXT NOT NULL, rate_gbps REAL NOT NULL, carried_bytes REAL NOT NULL, packets INTEGER, marked INTEGER, dropped INTEGER,
  pauses INTEGER, paused_us REAL, deepest_bytes INTEGER, PRIMARY KEY (run, port)) WITHOUT ROWID;
CREATE TABLE flows (run INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE, flow INTEGER NOT NULL, what TEXT NOT NULL,
  kind TEXT NOT NULL, stage INTEGER NOT NULL, from_gpu INTEGER NOT NULL, to_gpu INTEGER NOT NULL, bytes INTEGER NOT NULL,
  edges INTEGER NOT NULL, start_s REAL NOT NULL, finish_s REAL NOT NULL, PRIMARY KEY (run, flow)) WITHOUT ROWID;
CREATE TABLE clocks (id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE);
CREATE INDEX clocks_of_runs ON clocks(run);
CREATE TABLE instants (clock INTEGER NOT NULL REFERENCES clocks(id) ON DELETE CASCADE, sample INTEGER NOT NULL,
  at_s REAL NOT NULL, PRIMARY KEY (clock, sample)) WITHOUT ROWID;
CREATE TABLE lines (id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE, name TEXT NOT NULL,
  unit TEXT NOT NULL, clock INTEGER NOT NULL);
CREATE INDEX lines_of_runs ON lines(run);
CREATE TABLE samples (line INTEGER NOT NULL REFERENCES lines(id) ON DELETE CASCADE, sample INTEGER NOT NULL,
  value REAL NOT NULL, PRIMARY KEY (line, sample)) WITHOUT ROWID;
CREATE VIEW series AS SELECT run, name, unit, at_s, value FROM lines JOIN samples ON line = id
  JOIN instants ON instants.clock = lines.clock AND instants.sample = samples.sample;
)";

constexpr const char* kAbout = "id, name, file, engine, fingerprint, version, created, command, scenario, answer";

Diagnostic store_refusal(const char* code, const std::filesystem::path& store, std::string message, std::string hint) {
  return {Severity::error, code, std::move(message), std::move(hint), {store.string(), 0, 0}};
}

Diagnostic from_sqlite(const std::filesystem::path& store, const SqliteError& error) {
  return store_refusal("RY-STO-001", store, fmt::format("this store cannot be used: {}", error.sentence),
                       "name a file that is yours to write, in a folder that is there");
}

/// What is wrong with an open file, if anything; makes the tables of one that is empty.
Diagnostics check_store(SqliteConnection& connection, const std::filesystem::path& store, bool may_make) {
  const std::int64_t application = connection.number("PRAGMA application_id"),
                     version = connection.number("PRAGMA user_version");
  const bool is_new = connection.number("SELECT count(*) FROM sqlite_master") == 0;
  if (is_new && may_make) {
    connection.execute(kTables);
    connection.execute(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", kApplication, kStoreVersion));
    return {};
  }
  if (is_new || application != kApplication)
    return {
        store_refusal("RY-STO-002", store, "this database is not a store of runs", "name one that railyard run --db wrote")};
  if (version != kStoreVersion)
    return {store_refusal("RY-STO-003", store,
                          fmt::format("this store has version {}, and this program reads version {}", version, kStoreVersion),
                          "use the program that wrote it, or begin a new store")};
  return {};
}

/// Opens a store that is there and lets `work` use it.
template<class Value>
Result<Value> with_store(const std::filesystem::path& store, const std::function<Result<Value>(SqliteConnection&)>& work) {
  try {
    SqliteConnection connection(store, false);
    if (Diagnostics wrong = check_store(connection, store, false); !wrong.empty()) return wrong;
    connection.execute("PRAGMA foreign_keys = ON");
    return work(connection);
  } catch (const SqliteError& error) {
    return from_sqlite(store, error);
  }
}

/// Whether a file can be made there: permissions alone do not say.
bool can_make_files(const std::filesystem::path& folder) {
  std::string name = (folder / ".railyard-XXXXXX").string();
  const int made = mkstemp(name.data());
  if (made < 0) return false;
  close(made);
  unlink(name.c_str());
  return true;
}

Diagnostic no_such_run(const std::filesystem::path& store, std::int64_t id) {
  return store_refusal("RY-STO-004", store, fmt::format("there is no run {} in this store", id),
                       "railyard runs list shows those that are");
}

StoredRun run_of_row(const SqliteStatement& row) {
  return {row.whole(0), row.text(1), row.text(2), row.text(3), row.text(4),
          row.text(5),  row.text(6), row.text(7), row.text(8), row.text(9)};
}

std::int64_t insert_run(SqliteConnection& connection, const StoredRun& run, const Document& results) {
  const std::string json = write_compact_json(results);
  SqliteStatement(connection,
                  "INSERT INTO runs (name, file, engine, fingerprint, version, created, command, scenario, answer, "
                  "results) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
      .with(run.name, run.file, run.engine, run.fingerprint, run.version, run.created, run.command, run.scenario, run.answer,
            json)
      .run();
  return connection.last_id();
}

}  // namespace

Diagnostics refused_store(const std::filesystem::path& store) {
  const std::filesystem::path folder = store.has_parent_path() ? store.parent_path() : ".";
  if (std::error_code problem; !std::filesystem::is_directory(folder, problem))
    return {from_sqlite(store, {"its folder is not there"})};
  if (!std::filesystem::exists(store))
    return can_make_files(folder) ? Diagnostics{} : Diagnostics{from_sqlite(store, {std::strerror(errno)})};
  if (access(store.c_str(), W_OK) != 0) return {from_sqlite(store, {std::strerror(errno)})};
  try {
    SqliteConnection connection(store, false);
    const bool is_empty = connection.number("SELECT count(*) FROM sqlite_master") == 0;  // somebody else may be making it
    return is_empty ? Diagnostics{} : check_store(connection, store, false);
  } catch (const SqliteError& error) {
    return {from_sqlite(store, error)};
  }
}

Result<std::int64_t> add_run(const std::filesystem::path& store, const StoredRun& run, const Document& results,
                             const StoredEvidence& evidence) {
  try {
    SqliteConnection connection(store, true);
    connection.execute("PRAGMA cache_size = -65536");  // KiB: what does not fit is written twice
    SqliteTransaction all(connection);
    if (Diagnostics wrong = check_store(connection, store, true); !wrong.empty()) return wrong;
    const std::int64_t id = insert_run(connection, run, results);
    add_figures(connection, id, results);
    add_ports(connection, id, evidence.run);
    add_flows(connection, id, evidence.transfers);
    add_series(connection, id, evidence.run, evidence.results);
    all.commit();
    return id;
  } catch (const SqliteError& error) {
    return from_sqlite(store, error);
  }
}

Result<std::vector<StoredRun>> list_runs(const std::filesystem::path& store) {
  return with_store<std::vector<StoredRun>>(store, [](SqliteConnection& connection) {
    std::vector<StoredRun> runs;
    SqliteStatement rows(connection, fmt::format("SELECT {} FROM runs ORDER BY id", kAbout));
    while (rows.step()) runs.push_back(run_of_row(rows));
    return Result<std::vector<StoredRun>>(std::move(runs));
  });
}

Result<KeptRun> load_run(const std::filesystem::path& store, std::int64_t id) {
  return with_store<KeptRun>(store, [&](SqliteConnection& connection) -> Result<KeptRun> {
    SqliteStatement row(connection, fmt::format("SELECT {}, results FROM runs WHERE id = ?", kAbout));
    if (!row.with(id).step()) return no_such_run(store, id);
    constexpr int kResults = 10;  // the column after kAbout
    Result<Document> results = parse_json(row.text(kResults), store.string(), "RY-STO-002");
    if (!results) return results.error();
    return KeptRun{run_of_row(row), std::move(*results)};
  });
}

Result<std::size_t> remove_runs(const std::filesystem::path& store, const std::vector<std::int64_t>& runs) {
  return with_store<std::size_t>(store, [&](SqliteConnection& connection) -> Result<std::size_t> {
    SqliteTransaction all(connection);
    SqliteStatement remove(connection, "DELETE FROM runs WHERE id = ?");
    for (const std::int64_t id : runs) {
      remove.with(id).run();
      if (connection.changes() == 0) return no_such_run(store, id);
    }
    all.commit();
    return runs.size();
  });
}

}  // namespace railyard
