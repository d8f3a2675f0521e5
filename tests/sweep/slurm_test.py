"""railyard sweep --slurm on a Slurm of one node that this test starts: a job array, a task that is killed, and the same bytes."""
import os
import pathlib
import pwd
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

RAILYARD = str(pathlib.Path(sys.argv.pop()).resolve())
PATIENCE = 60  # s

CASE = """
name = "two hundred points"
[cluster]
gpus = 16
[fabric]
topology = "leaf-spine"
hosts_per_leaf = 4
spines = 2
link_rate = "100 Gb/s"
switch_latency = "900 ns"
[traffic]
pattern = "permutation"
size = "10 MB"
[engine]
fidelity = "packet"
[sweep.axes]
fabric.spines = [1, 2, 3, 4]
engine.seed = { from = 1, to = 50 }
"""


def free_ports(count):
    """Ports that nobody listens on now."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def waits_for(what, sentence):
    begun = time.monotonic()
    while not what():
        if time.monotonic() - begun > PATIENCE:
            raise AssertionError(sentence())
        time.sleep(0.1)


class Cluster:
    """munged, slurmctld and slurmd on the loopback interface, with a key and folders of their own."""

    def __init__(self, folder):
        self.folder, self.daemons = folder, []
        for name in ("state", "spool", "munge"):
            (folder / name).mkdir()
        (folder / "munge").chmod(0o711)
        self.user = pwd.getpwuid(os.getuid()).pw_name
        control, node = free_ports(2)
        name = socket.gethostname().split(".")[0]
        (folder / "slurm.conf").write_text(
            f"ClusterName=test\nSlurmctldHost={name}(127.0.0.1)\nSlurmUser={self.user}\nSlurmdUser={self.user}\n"
            f"AuthType=auth/munge\nAuthInfo=socket={folder}/munge/socket\nCryptoType=crypto/munge\n"
            f"SlurmctldPort={control}\nSlurmdPort={node}\nStateSaveLocation={folder}/state\nSlurmdSpoolDir={folder}/spool\n"
            f"SlurmctldPidFile={folder}/slurmctld.pid\nSlurmdPidFile={folder}/slurmd.pid\n"
            "ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nSelectType=select/cons_tres\n"
            "SelectTypeParameters=CR_CPU\nReturnToService=2\nSlurmdParameters=config_overrides\nSchedulerParameters=batch_sched_delay=0,sched_interval=1\n"
            "MpiDefault=none\nJobAcctGatherType=jobacct_gather/none\nSwitchType=switch/none\n"
            f"NodeName={name} NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN\nPartitionName=all Nodes=ALL Default=YES State=UP\n"
        )
        (folder / "cgroup.conf").write_text(
            f"CgroupPlugin=cgroup/v1\nCgroupMountpoint={folder}/cgroup\n"
        )
        self.environment = {**os.environ, "SLURM_CONF": str(folder / "slurm.conf")}

    def start(self, *words):
        log = open(self.folder / (pathlib.Path(words[0]).name + ".log"), "w")
        self.daemons.append(
            subprocess.Popen(
                words,
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
                env=self.environment,
                start_new_session=True,
            )
        )
        log.close()

    def __enter__(self):
        try:
            self.start_all()
        except BaseException:
            self.__exit__()
            raise
        return self

    def start_all(self):
        munge = self.folder / "munge"
        (munge / "key").write_bytes(os.urandom(128))
        (munge / "key").chmod(0o600)
        self.start(
            "munged", "--foreground", "--force", f"--key-file={munge}/key", f"--socket={munge}/socket",
            f"--pid-file={munge}/pid", f"--seed-file={munge}/seed", f"--log-file={munge}/log",
        )  # fmt: skip
        waits_for(lambda: (munge / "socket").exists(), self.logs)
        self.start("slurmctld", "-D", "-c", "-f", str(self.folder / "slurm.conf"))
        self.start("slurmd", "-D", "-c", "-f", str(self.folder / "slurm.conf"))
        waits_for(lambda: "idle" in self.say("sinfo", "-h", "-o", "%T"), self.logs)

    def __exit__(self, *_):
        for daemon in reversed(self.daemons):
            os.killpg(daemon.pid, signal.SIGKILL)
            daemon.wait()

    def say(self, *words):
        return subprocess.run(
            words, env=self.environment, capture_output=True, text=True, timeout=PATIENCE
        ).stdout

    def logs(self):
        return "\n".join(file.read_text()[-1500:] for file in self.folder.glob("*.log"))

    def is_empty(self):
        return self.say("squeue", "-h").strip() == ""


class Slurm(unittest.TestCase):
    def call(self, cluster, *words):
        done = subprocess.run(
            [RAILYARD, "sweep", str(self.folder / "case.toml"), *words],
            env=cluster.environment,
            capture_output=True,
            text=True,
            cwd=self.folder,
        )
        return done

    def task_process(self, shard):
        """The program that runs this part here, by its command line."""
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                words = (process / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if shard.encode() in words and str(self.folder / "case.toml").encode() in words:
                return int(process.name)
        raise AssertionError(f"nobody runs {shard}")

    def test_an_array_with_a_killed_task_makes_the_same_bytes(self):
        with tempfile.TemporaryDirectory() as name:
            self.folder = pathlib.Path(name)
            (self.folder / "case.toml").write_text(CASE)
            (self.folder / "cluster").mkdir()
            with Cluster(self.folder / "cluster") as cluster:
                self.play(cluster)

    def play(self, cluster):
        alone = self.call(cluster, "--quiet", "--csv", "alone.csv", "--db", "alone.db")
        self.assertEqual((alone.returncode, alone.stderr), (0, ""))
        array = ("--slurm", "out", "--tasks", "4", "--sbatch=--no-requeue", "--submit")
        submitted = self.call(cluster, *array)
        self.assertEqual(submitted.returncode, 0, submitted.stderr)
        victim = self.folder / "out" / "task-1.journal"
        waits_for(lambda: victim.exists() and victim.read_bytes().count(b"\n") > 5, cluster.logs)
        os.kill(self.task_process("1/4"), signal.SIGKILL)
        waits_for(cluster.is_empty, cluster.logs)
        kept = victim.read_text().splitlines()
        self.assertLess(len(kept), 51, "the task was killed in the middle")
        early = self.call(cluster, "--collect", "out", "--csv", "early.csv")
        self.assertIn("RY-SWP-012", early.stderr)
        again = self.call(cluster, *array)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertIn("#SBATCH --array=1\n", (self.folder / "out" / "sweep.sh").read_text())
        waits_for(cluster.is_empty, cluster.logs)
        done = self.call(
            cluster, "--quiet", "--collect", "out", "--csv", "all.csv", "--db", "all.db"
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""), cluster.logs())
        for kind in ("csv", "db"):
            one, other = (self.folder / f"{n}.{kind}" for n in ("alone", "all"))
            self.assertEqual(one.read_bytes(), other.read_bytes(), kind)
        lines = victim.read_text().splitlines()
        self.assertEqual(
            len({line.split()[0] for line in lines[1:]}), len(lines) - 1, "nothing is done twice"
        )
        self.assertLessEqual(set(kept[:-1]), set(lines), "nothing is lost")
        self.assertIn("Every point is done", self.call(cluster, *array[:4]).stdout)


if __name__ == "__main__":
    unittest.main()
