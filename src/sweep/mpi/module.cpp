// railyard_mpi.so: bytes between processes over MPI. The only place that sees MPI; the program loads it under mpirun alone.
#include <mpi.h>

#include <list>
#include <string>

#include "base/team_link.h"

namespace railyard {

namespace {

struct Waiting {
  std::string data;
  MPI_Request request = MPI_REQUEST_NULL;
};

/// Messages that were not yet taken by MPI, and the one that was received last.
struct Post {
  std::list<Waiting> sent;
  std::string received;
};

void drop_sent(Post& post) {
  for (auto message = post.sent.begin(); message != post.sent.end();) {
    int is_done = 0;
    MPI_Test(&message->request, &is_done, MPI_STATUS_IGNORE);
    message = is_done ? post.sent.erase(message) : std::next(message);
  }
}

void send(void* self, int to, const char* data, std::size_t size) {
  Post& post = *static_cast<Post*>(self);
  drop_sent(post);
  Waiting& message = post.sent.emplace_back();
  message.data.assign(data, size);
  MPI_Isend(message.data.data(), static_cast<int>(size), MPI_BYTE, to, 0, MPI_COMM_WORLD, &message.request);
}

int receive(void* self, const char** data, std::size_t* size) {
  Post& post = *static_cast<Post*>(self);
  drop_sent(post);
  int has_come = 0, length = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &has_come, &status);
  if (!has_come) return -1;
  MPI_Get_count(&status, MPI_BYTE, &length);
  post.received.resize(static_cast<std::size_t>(length));
  MPI_Recv(post.received.data(), length, MPI_BYTE, status.MPI_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  *data = post.received.data();
  *size = post.received.size();
  return status.MPI_SOURCE;
}

void finish(void* self) {
  Post& post = *static_cast<Post*>(self);
  for (Waiting& message : post.sent) MPI_Wait(&message.request, MPI_STATUS_IGNORE);
  post.sent.clear();
  MPI_Finalize();
}

}  // namespace

}  // namespace railyard

extern "C" __attribute__((visibility("default"))) const RailyardTeamLink* railyard_team_link() {
  static railyard::Post post;
  static RailyardTeamLink link{railyard::kTeamLinkVersion, &post, 0, 1, railyard::send, railyard::receive, railyard::finish};
  int level = MPI_THREAD_SINGLE;
  if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS) return nullptr;
  if (level < MPI_THREAD_FUNNELED) return nullptr;
  MPI_Comm_rank(MPI_COMM_WORLD, &link.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &link.size);
  return &link;
}
