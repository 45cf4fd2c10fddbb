/* Runs the engine of the library argv[1] with the other arguments as its own command line does, and prints the result. */
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>

int main(int argc, char **argv) {
  /* A test run that is killed leaves no server behind. */
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  void *library = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL);
  void *(*run)(int, char **) = library ? (void *(*)(int, char **))dlsym(library, "chdb_query_cmdline") : NULL;
  char *(*buffer)(void *) = library ? (char *(*)(void *))dlsym(library, "chdb_result_buffer") : NULL;
  size_t (*length)(void *) = library ? (size_t (*)(void *))dlsym(library, "chdb_result_length") : NULL;
  const char *(*error)(void *) = library ? (const char *(*)(void *))dlsym(library, "chdb_result_error") : NULL;
  if (!run || !buffer || !length || !error) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  void *result = run(argc - 1, argv + 1);
  if (!result || error(result)) {
    fprintf(stderr, "%s\n", result ? error(result) : "no result");
    return 1;
  }
  fwrite(buffer(result), 1, length(result), stdout);
  return 0;
}
