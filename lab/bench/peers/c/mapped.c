/* C over a mapped file: the least that can be done. FILE ROUNDS PACKETS */
#include "mapped.h"
#include "transport.h"

int main(int argc, char **argv) { return over_mapped(argc, argv, find_transport); }
