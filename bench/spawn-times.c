/* Times commands that read a payload from a pipe: RUNS PAYLOAD CMD ARG... -- CMD ARG... One JSON list of milliseconds a
   line, in the order of the commands, which take turns, each round in another order. "#RUN##" in the payload becomes the number of the run. Starting
   processes from Node would cost more than what is measured here. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static double now(void) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  return at.tv_sec * 1e3 + at.tv_nsec / 1e6;
}

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static double run(char **command, const char *payload, size_t length) {
  int in[2], out[2], status;
  pid_t child;
  char answer[65536];
  posix_spawn_file_actions_t actions;
  if (pipe(in) || pipe(out)) fail("pipe");
  for (int end = 0; end < 2; end++) {
    fcntl(in[end], F_SETFD, FD_CLOEXEC);
    fcntl(out[end], F_SETFD, FD_CLOEXEC);
  }
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], 0);
  posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  double begun = now();
  if (posix_spawnp(&child, command[0], &actions, NULL, command, environ)) fail(command[0]);
  close(in[0]);
  close(out[1]);
  for (size_t written = 0; written < length;) {
    ssize_t part = write(in[1], payload + written, length - written);
    if (part < 0) break; /* It has read enough. */
    written += part;
  }
  close(in[1]);
  while (read(out[0], answer, sizeof answer) > 0)
    ;
  waitpid(child, &status, 0);
  double taken = now() - begun;
  close(out[0]);
  posix_spawn_file_actions_destroy(&actions);
  return taken;
}

int main(int count, char **words) {
  if (count < 4) return 2;
  int runs = atoi(words[1]), warm = 3, commands = 0;
  char **command[64];
  FILE *file = fopen(words[2], "r");
  if (file == NULL) fail(words[2]);
  char *payload = malloc(64 << 20);
  size_t length = fread(payload, 1, 64 << 20, file);
  char *place = memmem(payload, length, "#RUN##", 6);
  command[commands++] = words + 3;
  for (int word = 3; word < count; word++)
    if (strcmp(words[word], "--") == 0) {
      words[word] = NULL;
      command[commands++] = words + word + 1;
    }
  double *times = malloc(sizeof(double) * runs * commands);
  signal(SIGPIPE, SIG_IGN);
  int order[64];
  for (int which = 0; which < commands; which++) order[which] = which;
  srand(1);
  for (int round = -warm; round < runs; round++) {
    /* What ran just before is felt by what runs next. */
    for (int last = commands - 1; last > 0; last--) {
      int other = rand() % (last + 1), kept = order[last];
      order[last] = order[other];
      order[other] = kept;
    }
    for (int turn = 0; turn < commands; turn++) {
      int which = order[turn];
      char number[16];
      snprintf(number, sizeof number, "%06d", (round + warm) * commands + which);
      if (place != NULL) memcpy(place, number, 6);
      double taken = run(command[which], payload, length);
      if (round >= 0) times[which * runs + round] = taken;
    }
  }
  for (int which = 0; which < commands; which++) {
    for (int round = 0; round < runs; round++) printf("%c%.4f", round == 0 ? '[' : ',', times[which * runs + round]);
    printf("]\n");
  }
  return 0;
}
