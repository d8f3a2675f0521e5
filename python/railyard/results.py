"""What a run left: figures by path, tables as frames, and rows that stay in the run's memory."""

import json
import re

from . import _railyard, frames


class Results:
    """Of one run. Everything is made when it is asked for; `flows` and `samples` are the run's own rows, not copies."""

    def __init__(self, session, scenario):
        self._session = session
        self._dict = None
        self._tables = None
        self.scenario = scenario

    @property
    def fingerprint(self):
        """Equal runs have equal fingerprints, on any machine and any number of threads."""
        return self._session.fingerprint

    @property
    def dict(self):
        """Everything, as --json writes it (docs/results.md)."""
        if self._dict is None:
            self._dict = json.loads(self._session.json())
        return self._dict

    def __getitem__(self, path):
        """results["network.tiers[1].mean_utilisation"]"""
        value = self.dict
        for part in re.findall(r"[^.\[\]]+|\[-?\d+\]", path):
            try:
                value = value[int(part[1:-1])] if part.startswith("[") else value[part]
            except (KeyError, IndexError, TypeError):
                raise KeyError(
                    f"{path}: there is no {part}; docs/results.md lists what there is"
                ) from None
        return value

    def __str__(self):
        return self._session.report(100)

    def __repr__(self):
        return f"<Results of {self.scenario.name!r}, {self.fingerprint}>"

    def _repr_html_(self):
        return f"<pre>{str(self).replace('&', '&amp;').replace('<', '&lt;')}</pre>"

    @property
    def tables(self):
        """Names of all tables."""
        return list(self._all_tables())

    def frame(self, name):
        """A table as a pandas frame; numbers are numbers."""
        pandas = frames.pandas()

        if name not in self._all_tables():
            raise KeyError(f"there is no table {name}; tables are {', '.join(self.tables)}")
        columns, rows = self._all_tables()[name]
        frame = pandas.DataFrame(rows, columns=columns)
        for column in columns:
            frame[column] = _numbers(pandas, frame[column])
        return frame

    def frames(self):
        """All tables by name."""
        return {name: self.frame(name) for name in self.tables}

    def _all_tables(self):
        if self._tables is None:
            self._tables = {
                name: (columns, [row + [""] * (len(columns) - len(row)) for row in rows])
                for name, columns, rows in self._session.tables()
            }
        return self._tables

    @property
    def flows(self):
        """Every transfer of a flow or packet run: when, what, from which GPU to which, how much. Numbers are not copied."""
        pandas = frames.pandas()

        rows, names = _railyard.flows(self._session), self._session.flow_names()
        columns = {}
        for field in rows.dtype.names:
            codes = field in ("what", "group")
            columns[field] = (
                pandas.Categorical.from_codes(rows[field].astype("i4"), names)
                if codes
                else rows[field]
            )
        return pandas.DataFrame(columns, copy=False)

    @property
    def samples(self):
        """Of a packet run: what every port did between one sample and the next, an array by sample and port whose fields are
        bytes, backlog_bytes, marked and paused_ps. None without packets. It is the run's own memory.
        """
        return _railyard.samples(self._session)

    @property
    def sample_times_ps(self):
        """The end of every sample, in picoseconds."""
        return _railyard.sample_times(self._session)

    @property
    def port_names(self):
        """Of the columns of `samples`."""
        return self._session.port_names()


def _numbers(pandas, column):
    """A column of texts as numbers or booleans, where all of them are."""
    given = column[column != ""]
    if len(given) and given.isin(["true", "false"]).all():
        return column.map({"true": True, "false": False})
    try:
        numbers = pandas.to_numeric(column.where(column != ""), errors="raise")
    except (ValueError, TypeError):
        return column
    return numbers if len(given) else column
