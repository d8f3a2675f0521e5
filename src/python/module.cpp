// The module railyard._railyard: scenarios, runs and their rows for Python; what people import is python/railyard.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstddef>
#include <sstream>

#include "analysis/tier_loads.h"
#include "base/json.h"
#include "export/csv_tables.h"
#include "python/scenario_session.h"
#include "report/differences.h"
#include "report/report.h"
#include "report/results_report.h"
#include "scenario/presets.h"

namespace py = pybind11;

namespace railyard {

namespace {

/// Becomes railyard.Error.
struct Refused {
  Diagnostics diagnostics;
};

py::list list_of(const Diagnostics& diagnostics) {
  py::list out;
  for (const Diagnostic& one : diagnostics)
    out.append(py::dict(py::arg("severity") = std::string(name_of(one.severity)), py::arg("code") = one.code,
                        py::arg("message") = one.message, py::arg("hint") = one.hint, py::arg("file") = one.where.file,
                        py::arg("line") = one.where.line, py::arg("column") = one.where.column));
  return out;
}

template<class Value>
Value value_of(Result<Value> result) {
  if (!result) throw Refused{result.error()};
  return std::move(*result);
}

/// Fields of rows that lie in memory as they are: names, formats of numpy, where they begin.
struct RowField {
  const char *name, *format;
  std::size_t offset;
};

template<class Row>
py::dtype dtype_of(const std::vector<RowField>& fields) {
  py::list names, formats, offsets;
  for (const RowField& field : fields) {
    names.append(field.name);
    formats.append(field.format);
    offsets.append(field.offset);
  }
  return py::dtype(names, formats, offsets, sizeof(Row));
}

/// The rows themselves, not a copy; `owner` lives as long as the array. They cannot be written to.
py::array view_of(const py::dtype& type, std::vector<py::ssize_t> shape, const void* rows, py::handle owner) {
  py::array out(type, std::move(shape), rows, owner);
  out.attr("setflags")(py::arg("write") = false);
  return out;
}

static_assert(sizeof(Picoseconds) == 8 && sizeof(Bytes) == 8 && sizeof(EndpointId) == 4, "as the fields below say");

py::array flows_of(const py::object& session) {
  const auto& rows = session.cast<const FinishedSession&>().transfers.transfers();
  using Row = LoggedTransfer;
  const py::dtype type = dtype_of<Row>({{"start_ps", "i8", offsetof(Row, start)},
                                        {"finish_ps", "i8", offsetof(Row, finish)},
                                        {"bytes", "i8", offsetof(Row, size)},
                                        {"collective_bytes", "i8", offsetof(Row, collective)},
                                        {"from_gpu", "u4", offsetof(Row, from)},
                                        {"to_gpu", "u4", offsetof(Row, to)},
                                        {"edges", "u8", offsetof(Row, edges)},
                                        {"stage", "u4", offsetof(Row, stage)},
                                        {"what", "u2", offsetof(Row, what)},
                                        {"group", "u2", offsetof(Row, group)}});
  return view_of(type, {static_cast<py::ssize_t>(rows.size())}, rows.data(), session);
}

/// By sample and port.
py::object samples_of(const py::object& session) {
  const PacketRecord* const packets = session.cast<const FinishedSession&>().packets();
  if (!packets) return py::none();
  using Row = PortSample;
  const py::dtype type = dtype_of<Row>({{"bytes", "u8", offsetof(Row, bytes)},
                                        {"backlog_bytes", "u4", offsetof(Row, backlog)},
                                        {"marked", "u4", offsetof(Row, marked)},
                                        {"paused_ps", "i8", offsetof(Row, paused)}});
  const PortSeries& series = packets->series;
  return view_of(type, {static_cast<py::ssize_t>(series.at.size()), static_cast<py::ssize_t>(series.ports)},
                 series.samples.data(), session);
}

py::object sample_times_of(const py::object& session) {
  const PacketRecord* const packets = session.cast<const FinishedSession&>().packets();
  if (!packets) return py::none();
  return view_of(py::dtype("i8"), {static_cast<py::ssize_t>(packets->series.at.size())}, packets->series.at.data(), session);
}

std::vector<std::string> names_of_ports(const FinishedSession& session) {
  std::vector<std::string> names;
  for (const std::string& name : port_names(session.run.fabric)) names.push_back(name);
  return names;
}

py::list tables_of(const FinishedSession& session) {
  py::list out;
  for (const CsvTable& table : csv_tables(session.document)) {
    py::list rows;
    for (std::size_t row = 0; row < table.rows(); row++) {
      py::list cells;
      for (std::size_t column = 0; column < table.columns().size(); column++) cells.append(table.cell(row, column));
      rows.append(std::move(cells));
    }
    out.append(py::make_tuple(table.name(), table.columns(), rows));
  }
  return out;
}

std::string report_of(const FinishedSession& session, std::size_t width) {
  std::ostringstream out;
  write_terminal(results_report(session.results), width, out);
  return out.str();
}

/// Runs without holding up other threads of Python; `progress` is called with how far it is. Ctrl-C gives it up.
std::shared_ptr<FinishedSession> run_watched(const LoadedScenario& loaded, unsigned threads, bool flows,
                                             const py::object& progress) {
  const py::gil_scoped_release others_may_go_on;
  const auto watch = [&](double share, const std::string& now) {
    const py::gil_scoped_acquire python;
    if (PyErr_CheckSignals() != 0) return false;
    if (progress.is_none()) return true;
    try {
      progress(share, now);
    } catch (py::error_already_set& thrown) {
      thrown.restore();
      return false;
    }
    return true;
  };
  Result<std::shared_ptr<FinishedSession>> done = run_for_python(loaded.scenario, threads, flows, watch);
  const py::gil_scoped_acquire python;
  if (PyErr_Occurred()) throw py::error_already_set();
  return value_of(std::move(done));
}

std::string differences_of(const std::string& a, const std::string& b) {
  const Document first = value_of(parse_json(a, "a", "RY-DIF-001")), second = value_of(parse_json(b, "b", "RY-DIF-001"));
  return write_compact_json(differences_document(differences(first, second)));
}

}  // namespace

}  // namespace railyard

PYBIND11_MODULE(_railyard, module) {
  using namespace railyard;
  module.doc() = "Scenarios, runs and their rows; use the package railyard.";
  module.attr("__version__") = RAILYARD_VERSION;
  static const py::exception<Refused> error(module, "Error", PyExc_ValueError);
  error.attr("__module__") = "railyard";
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const Refused& refused) {
      std::string text;
      for (const Diagnostic& one : refused.diagnostics) text += (text.empty() ? "" : "\n") + to_text(one);
      py::object thrown = py::reinterpret_borrow<py::object>(error)(text);
      thrown.attr("diagnostics") = list_of(refused.diagnostics);
      PyErr_SetObject(error.ptr(), thrown.ptr());
    }
  });

  py::class_<LoadedScenario, std::shared_ptr<LoadedScenario>>(module, "Scenario")
      .def_property_readonly("name", [](const LoadedScenario& one) { return one.scenario.name; })
      .def_readonly("text", &LoadedScenario::text);
  py::class_<FinishedSession, std::shared_ptr<FinishedSession>>(module, "Session")
      .def_property_readonly("fingerprint", [](const FinishedSession& one) { return one.results.fingerprint; })
      .def("json", [](const FinishedSession& one) { return write_compact_json(one.document); })
      .def("report", &report_of)
      .def("tables", &tables_of)
      .def("port_names", &names_of_ports)
      .def("flow_names", [](const FinishedSession& one) { return one.transfers.names(); });
  module.def("load", [](const std::string& name, const std::vector<std::string>& overrides) {
    return value_of(load_for_python(name, overrides));
  });
  module.def("parse", [](const std::string& toml, const std::vector<std::string>& overrides) {
    return value_of(parse_for_python(toml, overrides));
  });
  module.def("run", &run_watched, py::arg("scenario"), py::arg("threads"), py::arg("flows"), py::arg("progress"));
  module.def("presets", &preset_names);
  module.def("differences", &differences_of);
  module.def("flows", &flows_of);
  module.def("samples", &samples_of);
  module.def("sample_times", &sample_times_of);
}
