// Jobs: what their scripts, files of variables and Kubernetes manifests set for NCCL and RCCL.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/read/host_text.h"

namespace railyard::host_text {

/// Reads shell text into a job: assignments, export, env, mpirun -x, srun --export, #SBATCH. Lines of the file are found by the
/// name of the variable, since text may have been folded on its way here.
class JobShell {
 public:
  /// `lines` are those of the whole file; `first` is where the text begins in it.
  JobShell(Device& job, const std::string& file, const std::vector<std::string_view>& lines)
      : job_(job), file_(file), lines_(lines) {}

  void read_script(std::string_view text, std::uint32_t first);
  void read_words(const std::vector<std::string>& words, std::uint32_t first, std::uint32_t last);
  void set(std::string_view name, std::string_view value, std::uint32_t first, std::uint32_t last);

  /// Lines NAME=VALUE as /etc/nccl.conf has them: no shell, and the first of two wins, as NCCL's setenv(…, 0) has it.
  void read_plain(std::string_view text);

 private:
  [[nodiscard]] SourceSpan place_of(std::string_view name, std::uint32_t first, std::uint32_t last) const;
  void read_slurm(std::string_view line, std::uint32_t number);
  void read_export(std::string_view list, std::uint32_t first, std::uint32_t last);

  Device& job_;
  const std::string& file_;
  const std::vector<std::string_view>& lines_;
  Variables variables_;
};

/// "gpu[01-03,7],login" as gpu01, gpu02, gpu03, gpu7, login: Slurm's lists of hosts. At most 65,536 of them.
[[nodiscard]] std::vector<std::string> hosts_of(std::string_view list);

[[nodiscard]] bool is_kubernetes_job(const ConfigText& text);
Diagnostics read_kubernetes_job(const ConfigText& text, Estate& estate);

}  // namespace railyard::host_text
