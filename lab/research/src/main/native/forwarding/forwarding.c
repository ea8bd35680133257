// The peer of io.offhook.research.forwarding: the same packets forwarded by DPDK's own inline functions, in C.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <rte_eal.h>
#include <rte_ethdev.h>
#include <rte_ether.h>
#include <rte_ip.h>
#include <rte_lpm.h>
#include <rte_mbuf.h>

#define BURST 32
#define HOPS 256

enum kind { L2_RING, L3_RING, L2_NULL };

static enum kind kind;
static uint16_t ports[2];
static uint64_t lost;
static struct rte_lpm *lpm;
// the address of a next hop and the first 2 bytes of ours; the last 4 of ours
static uint64_t head[HOPS];
static uint32_t tail;

static uint64_t state;

static uint32_t draw(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (uint32_t)(state >> 32);
}

// what every packet goes through: destination and source change places
static inline void swap_addresses(struct rte_mbuf *m) {
  uint8_t *frame = rte_pktmbuf_mtod(m, uint8_t *);
  uint64_t first;
  uint32_t last;
  memcpy(&first, frame, 8);
  memcpy(&last, frame + 8, 4);
  uint64_t destination = first & 0xffffffffffff;
  uint64_t source = first >> 48 | (uint64_t)last << 16;
  first = source | destination << 48;
  last = (uint32_t)(destination >> 16);
  memcpy(frame, &first, 8);
  memcpy(frame + 8, &last, 4);
}

// 1 where it can go on
static inline int route(struct rte_mbuf *m) {
  uint8_t *frame = rte_pktmbuf_mtod(m, uint8_t *);
  struct rte_ether_hdr *ether = (struct rte_ether_hdr *)frame;
  struct rte_ipv4_hdr *ip = (struct rte_ipv4_hdr *)(ether + 1);
  if (rte_pktmbuf_data_len(m) < sizeof *ether + sizeof *ip ||
      ether->ether_type != rte_cpu_to_be_16(RTE_ETHER_TYPE_IPV4) || ip->version_ihl != 0x45) {
    return 0;
  }
  uint32_t hop;
  if (rte_lpm_lookup(lpm, rte_be_to_cpu_32(ip->dst_addr), &hop) != 0) {
    return 0;
  }
  if (ip->time_to_live <= 1) {
    // the packet has gone round long enough, and begins anew
    ip->time_to_live = 64;
    ip->hdr_checksum = 0;
    ip->hdr_checksum = rte_ipv4_cksum(ip);
  } else {
    ip->time_to_live--;
    // RFC 1624, of a high byte that is one less
    uint32_t sum = (uint32_t)rte_be_to_cpu_16(ip->hdr_checksum) + 0x100;
    ip->hdr_checksum = rte_cpu_to_be_16((uint16_t)(sum + (sum >> 16)));
  }
  memcpy(frame, &head[hop], 8);
  memcpy(frame + 8, &tail, 4);
  return 1;
}

static inline uint16_t forward(uint16_t from, uint16_t to) {
  struct rte_mbuf *burst[BURST];
  uint16_t count = rte_eth_rx_burst(from, 0, burst, BURST);
  uint16_t kept = count;
  if (kind == L3_RING) {
    kept = 0;
    for (uint16_t i = 0; i < count; i++) {
      struct rte_mbuf *m = burst[i];
      if (route(m)) {
        burst[kept++] = m;
      } else {
        rte_pktmbuf_free(m);
        lost++;
      }
    }
  } else {
    for (uint16_t i = 0; i < count; i++) {
      swap_addresses(burst[i]);
    }
  }
  uint16_t sent = rte_eth_tx_burst(to, 0, burst, kept);
  if (unlikely(sent < kept)) {
    lost += kept - sent;
    rte_pktmbuf_free_bulk(burst + sent, kept - sent);
  }
  return count;
}

static void begin_frame(uint8_t *frame, uint32_t number, uint32_t destination) {
  memset(frame, 0, 60);
  for (int i = 0; i < 12; i++) {
    frame[i] = (uint8_t)(2 + number * 7 + (uint32_t)i);
  }
  frame[0] = 2;
  frame[6] = 2;
  struct rte_ether_hdr *ether = (struct rte_ether_hdr *)frame;
  ether->ether_type = rte_cpu_to_be_16(RTE_ETHER_TYPE_IPV4);
  struct rte_ipv4_hdr *ip = (struct rte_ipv4_hdr *)(ether + 1);
  ip->version_ihl = 0x45;
  ip->total_length = rte_cpu_to_be_16(46);
  ip->packet_id = rte_cpu_to_be_16((uint16_t)number);
  ip->time_to_live = (uint8_t)(2 + number % 62);
  ip->next_proto_id = 17;
  ip->src_addr = rte_cpu_to_be_32(0x0a000000 + number);
  ip->dst_addr = rte_cpu_to_be_32(destination);
  ip->hdr_checksum = rte_ipv4_cksum(ip);
}

static int add_routes(uint32_t *networks) {
  struct rte_lpm_config config = {.max_rules = 1024, .number_tbl8s = 256};
  lpm = rte_lpm_create("bench", 0, &config);
  if (lpm == NULL) {
    return -1;
  }
  for (uint32_t hop = 0; hop < HOPS; hop++) {
    uint8_t depth = (uint8_t)(12 + hop % 17);  // 12 to 28
    uint32_t network = draw() & ~(UINT32_MAX >> depth);
    networks[hop] = network;
    if (rte_lpm_add(lpm, network, depth, hop) != 0) {
      return -1;
    }
    uint8_t addresses[12] = {2, 0, 0, 0, 1, (uint8_t)hop, 2, 0, 0, 0, 0, 1};
    memcpy(&head[hop], addresses, 8);
    memcpy(&tail, addresses + 8, 4);
  }
  return 0;
}

static int start_port(uint16_t port, struct rte_mempool *pool) {
  struct rte_eth_conf conf = {0};
  if (rte_eth_dev_configure(port, 1, 1, &conf) != 0 || rte_eth_rx_queue_setup(port, 0, 1024, 0, NULL, pool) != 0 ||
      rte_eth_tx_queue_setup(port, 0, 1024, 0, NULL) != 0) {
    return -1;
  }
  return rte_eth_dev_start(port);
}

static int fill(struct rte_mempool *pool, uint32_t packets, const uint32_t *networks) {
  for (uint32_t number = 0; number < packets; number++) {
    struct rte_mbuf *m = rte_pktmbuf_alloc(pool);
    uint32_t low = draw() & 15;  // within a /28
    uint8_t *frame = m == NULL ? NULL : (uint8_t *)rte_pktmbuf_append(m, 60);
    if (frame == NULL) {
      return -1;
    }
    begin_frame(frame, number, networks[number % HOPS] | low);
    if (rte_eth_tx_burst(ports[0], 0, &m, 1) != 1) {
      return -1;
    }
  }
  return 0;
}

// Starts EAL on the calling thread, and makes ports, and packets that go round. 0, or -1 where DPDK refuses.
int forwarding_open(int which, int processor, uint32_t packets) {
  char lcores[32];
  snprintf(lcores, sizeof lcores, "--lcores=0@%d", processor);
  const char *drivers[] = {"--vdev=net_ring0", "--vdev=net_ring0", "--vdev=net_null0,size=60,copy=0"};
  const char *others[] = {"--vdev=net_ring1", "--vdev=net_ring1", "--vdev=net_null1,size=60,copy=0"};
  const char *arguments[] = {"bench",    "--no-telemetry", "-m",           "512",         lcores,
                             "--no-huge", "--no-shconf",    "--no-pci",     "--log-level=error", drivers[which], others[which]};
  kind = (enum kind)which;
  if (rte_eal_init(sizeof arguments / sizeof *arguments, (char **)arguments) < 0) {
    return -1;
  }
  struct rte_mempool *pool = rte_pktmbuf_pool_create("bench", 8191, 256, 0, RTE_MBUF_DEFAULT_BUF_SIZE, SOCKET_ID_ANY);
  if (pool == NULL) {
    return -1;
  }
  for (uint16_t i = 0; i < 2; i++) {
    ports[i] = i;
    if (start_port(i, pool) != 0) {
      return -1;
    }
  }
  state = 0x0ff400c;
  lost = 0;
  uint32_t networks[HOPS];
  if (add_routes(networks) != 0) {
    return -1;
  }
  return kind == L2_NULL ? 0 : fill(pool, packets, networks);
}

// Forwards so many packets and no more than a burst beyond; how many that were.
uint64_t forwarding_round(uint64_t packets) {
  uint64_t done = 0;
  while (done < packets) {
    done += forward(ports[0], ports[1]);
    done += forward(ports[1], ports[0]);
  }
  return done;
}

// Of all packets, in the order that they wait in, and of what was lost.
uint64_t forwarding_digest(void) {
  uint64_t hash = lost;
  struct rte_mbuf *burst[BURST];
  if (kind == L2_NULL) {
    return hash;
  }
  for (int i = 0; i < 2; i++) {
    uint16_t count;
    while ((count = rte_eth_rx_burst(ports[i], 0, burst, BURST)) > 0) {
      for (uint16_t k = 0; k < count; k++) {
        const uint8_t *frame = rte_pktmbuf_mtod(burst[k], const uint8_t *);
        for (int at = 0; at < 60; at++) {
          hash = 31 * hash + frame[at];
        }
      }
      rte_pktmbuf_free_bulk(burst, count);
    }
  }
  return hash;
}
