/*
 * What libpcap says, for tests: reads questions from standard input, a line each, and answers each with a line.
 *
 *   compile LINKTYPE OPTIMIZE EXPRESSION            the program that libpcap makes for a capture file of that type:
 *                                                   "code jt jf k" in decimal, an instruction after a comma; or
 *                                                   "error MESSAGE"
 *   run PROGRAM WIRE_LENGTH CAPTURED_LENGTH BYTES   what bpf_filter returns for a packet
 *   kernel PROGRAM                                  attaches the program to a socket: "ok", or "error MESSAGE"
 *   version                                         pcap_lib_version's answer
 *   send PROGRAM BYTES                              how many of the bytes the kernel lets through
 *
 * An expression and bytes are in hexadecimal, or "-" for none; a program is an array of struct bpf_insn in hexadecimal.
 * Names of hosts are not looked up, whatever the machine has.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <netdb.h>
#include <pcap/pcap.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <linux/filter.h>

#define SNAP_LENGTH 262144
#define SECONDS 20

/* In the place of the C library's: addresses and services are found, names of hosts never. */
int getaddrinfo(const char *host, const char *service, const struct addrinfo *hints, struct addrinfo **found) {
	static int (*original)(const char *, const char *, const struct addrinfo *, struct addrinfo **);
	struct addrinfo numeric = {0};

	if (original == NULL)
		*(void **)&original = dlsym(RTLD_NEXT, "getaddrinfo");
	if (hints != NULL)
		numeric = *hints;
	if (host != NULL)
		numeric.ai_flags |= AI_NUMERICHOST;
	return original(host, service, &numeric, found);
}

struct netent;
int getnetbyname_r(const char *name, struct netent *net, char *buffer, size_t size, struct netent **found, int *error) {
	(void)name, (void)net, (void)buffer, (void)size;
	*found = NULL;
	*error = HOST_NOT_FOUND;
	return 0;
}

/* A message may repeat what was in the expression: it stays one line. */
static void print_error(const char *message) {
	printf("error ");
	for (; *message != 0; message++)
		putchar((unsigned char)*message < ' ' ? '?' : *message);
	printf("\n");
}

static size_t from_hex(char *text, unsigned char *bytes) {
	size_t length = strcmp(text, "-") == 0 ? 0 : strlen(text) / 2;
	for (size_t i = 0; i < length; i++) {
		char digits[3] = {text[2 * i], text[2 * i + 1], 0};
		bytes[i] = (unsigned char)strtoul(digits, NULL, 16);
	}
	bytes[length] = 0;
	return length;
}

/* A capture without packets: of a file libpcap says other things than of an interface. */
static pcap_t *empty_capture(int linktype) {
	char error[PCAP_ERRBUF_SIZE];
	struct {
		uint32_t magic;
		uint16_t major, minor;
		uint32_t zone, accuracy, snap_length, linktype;
	} header = {0xa1b2c3d4, 2, 4, 0, 0, SNAP_LENGTH, (uint32_t)linktype};
	return pcap_fopen_offline(fmemopen(&header, sizeof header, "rb"), error);
}

static void compile(int linktype, int optimize, const char *expression) {
	pcap_t *capture = empty_capture(linktype);
	struct bpf_program program;
	if (capture == NULL) {
		print_error("no capture of this link type");
		return;
	}
	alarm(SECONDS);
	if (pcap_compile(capture, &program, expression, optimize, PCAP_NETMASK_UNKNOWN) != 0) {
		print_error(pcap_geterr(capture));
	} else {
		for (u_int i = 0; i < program.bf_len; i++) {
			struct bpf_insn in = program.bf_insns[i];
			printf("%s%u %u %u %u", i == 0 ? "" : ",", in.code, in.jt, in.jf, in.k);
		}
		printf("\n");
		pcap_freecode(&program);
	}
	alarm(0);
	pcap_close(capture);
}

static int socket_with(unsigned char *program, size_t bytes, int pair[2]) {
	struct sock_fprog attached = {(unsigned short)(bytes / sizeof(struct sock_filter)), (struct sock_filter *)program};
	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) != 0)
		return -1;
	return setsockopt(pair[1], SOL_SOCKET, SO_ATTACH_FILTER, &attached, sizeof attached);
}

/* A datagram of a local socket is filtered from its first byte on. One that is shortened arrives shortened. */
static void send_through(unsigned char *program, size_t program_bytes, unsigned char *packet, size_t length) {
	static unsigned char got[1 << 17];
	int pair[2];
	if (socket_with(program, program_bytes, pair) != 0 || send(pair[0], packet, length, 0) < 0) {
		print_error(strerror(errno));
	} else {
		ssize_t received = recv(pair[1], got, sizeof got, MSG_DONTWAIT);
		printf("%zd\n", received < 0 ? 0 : received);
	}
	close(pair[0]);
	close(pair[1]);
}

int main(void) {
	static unsigned char first[1 << 22];
	static unsigned char second[1 << 20];
	char *line = NULL;
	size_t capacity = 0;
	while (getline(&line, &capacity, stdin) > 0) {
		char *words[5] = {"", "", "", "", ""};
		char *word = strtok(line, " \n");
		for (int i = 0; i < 5 && word != NULL; i++, word = strtok(NULL, " \n"))
			words[i] = word;
		if (strcmp(words[0], "compile") == 0) {
			from_hex(words[3], first);
			compile(atoi(words[1]), atoi(words[2]), (char *)first);
		} else if (strcmp(words[0], "run") == 0) {
			from_hex(words[1], first);
			from_hex(words[4], second);
			printf("%u\n", bpf_filter((struct bpf_insn *)first, second, (u_int)atoi(words[2]), (u_int)atoi(words[3])));
		} else if (strcmp(words[0], "kernel") == 0) {
			int pair[2];
			size_t bytes = from_hex(words[1], first);
			int attached = socket_with(first, bytes, pair);
			if (attached == 0)
				printf("ok\n");
			else
				print_error(strerror(errno));
			close(pair[0]);
			close(pair[1]);
		} else if (strcmp(words[0], "version") == 0) {
			printf("%s\n", pcap_lib_version());
		} else {
			size_t bytes = from_hex(words[1], first);
			size_t length = from_hex(words[2], second);
			send_through(first, bytes, second, length);
		}
		fflush(stdout);
	}
	return 0;
}
