#include "base/program.h"

#include <elf.h>
#include <fmt/format.h>
#include <link.h>

#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/version.h"

namespace railyard {

namespace {

constexpr std::size_t kDigits = 12;

/// What is looked for, and what was found.
struct BuildId {
  std::uintptr_t here = 0;  // an address of the object that is meant: the program, or a module of Python
  std::string hex = {};
};

constexpr std::size_t padded(std::size_t size) { return (size + 3) / 4 * 4; }

/// The build id among the notes of a segment; empty where there is none.
std::string build_id_in(const char* notes, std::size_t size) {
  for (std::size_t at = 0; at + sizeof(ElfW(Nhdr)) <= size;) {
    ElfW(Nhdr) head;
    std::memcpy(&head, notes + at, sizeof(head));
    const std::size_t name = at + sizeof(head), text = name + padded(head.n_namesz), next = text + padded(head.n_descsz);
    if (next > size) return {};
    if (head.n_type == NT_GNU_BUILD_ID && std::string_view(notes + name, head.n_namesz) == std::string_view("GNU", 4)) {
      std::string hex;
      for (std::size_t i = text; i < text + head.n_descsz && hex.size() < kDigits; i++)
        hex += fmt::format("{:02x}", static_cast<unsigned char>(notes[i]));
      return hex;
    }
    at = next;
  }
  return {};
}

bool has_address(const dl_phdr_info& object, std::uintptr_t address) {
  for (int i = 0; i < object.dlpi_phnum; i++) {
    const ElfW(Phdr)& part = object.dlpi_phdr[i];
    const std::uintptr_t from = object.dlpi_addr + part.p_vaddr;
    if (part.p_type == PT_LOAD && address >= from && address < from + part.p_memsz) return true;
  }
  return false;
}

int look_at(dl_phdr_info* object, std::size_t, void* wanted) {
  BuildId& id = *static_cast<BuildId*>(wanted);
  if (!has_address(*object, id.here)) return 0;
  for (int i = 0; i < object->dlpi_phnum && id.hex.empty(); i++) {
    const ElfW(Phdr)& part = object->dlpi_phdr[i];
    if (part.p_type == PT_NOTE)
      id.hex = build_id_in(reinterpret_cast<const char*>(object->dlpi_addr + part.p_vaddr), part.p_memsz);
  }
  return 1;
}

}  // namespace

std::string program_name() {
  BuildId id{.here = reinterpret_cast<std::uintptr_t>(&program_name)};
  dl_iterate_phdr(look_at, &id);
  return id.hex.empty() ? std::string(kVersion) : fmt::format("{} {}", kVersion, id.hex);
}

}  // namespace railyard
