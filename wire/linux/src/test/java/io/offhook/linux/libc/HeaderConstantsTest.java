package io.offhook.linux.libc;

import static java.util.Map.entry;

import io.offhook.linux.network.RouteNetlink;
import io.offhook.linux.network.SockDiag;
import io.offhook.testkit.peers.CompilerConstants;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Header classes against the headers. */
@EnabledOnOs(OS.LINUX)
class HeaderConstantsTest {
    @TempDir
    Path folder;

    @Test
    void interfacesAgreeWithTheCompiler() throws Exception {
        CompilerConstants.assertAgree(
                NetIf.class,
                List.of("net/if.h", "linux/sockios.h"),
                Map.of(
                        "REQUEST_BYTES", "sizeof(struct ifreq)",
                        "REQUEST_INDEX", "offsetof(struct ifreq, ifr_ifindex)",
                        "REQUEST_FLAGS", "offsetof(struct ifreq, ifr_flags)"),
                folder);
    }

    @Test
    void ethtoolAgreesWithTheCompiler() throws Exception {
        CompilerConstants.assertAgree(
                EthtoolHeader.class,
                List.of("net/if.h", "linux/sockios.h", "linux/ethtool.h"),
                Map.ofEntries(
                        entry("REQUEST_BYTES", "sizeof(struct ifreq)"),
                        entry("REQUEST_DATA", "offsetof(struct ifreq, ifr_data)"),
                        entry("DRIVER_BYTES", "sizeof(struct ethtool_drvinfo)"),
                        entry("DRIVER_NAME", "offsetof(struct ethtool_drvinfo, driver)"),
                        entry("RINGS_BYTES", "sizeof(struct ethtool_ringparam)"),
                        entry("RINGS_RECEIVE_MOST", "offsetof(struct ethtool_ringparam, rx_max_pending)"),
                        entry("RINGS_SEND_MOST", "offsetof(struct ethtool_ringparam, tx_max_pending)"),
                        entry("RINGS_RECEIVE", "offsetof(struct ethtool_ringparam, rx_pending)"),
                        entry("RINGS_SEND", "offsetof(struct ethtool_ringparam, tx_pending)"),
                        entry("CHANNELS_BYTES", "sizeof(struct ethtool_channels)"),
                        entry("CHANNELS_RECEIVE_MOST", "offsetof(struct ethtool_channels, max_rx)"),
                        entry("CHANNELS_SEND_MOST", "offsetof(struct ethtool_channels, max_tx)"),
                        entry("CHANNELS_COMBINED_MOST", "offsetof(struct ethtool_channels, max_combined)"),
                        entry("CHANNELS_RECEIVE", "offsetof(struct ethtool_channels, rx_count)"),
                        entry("CHANNELS_SEND", "offsetof(struct ethtool_channels, tx_count)"),
                        entry("CHANNELS_COMBINED", "offsetof(struct ethtool_channels, combined_count)"),
                        entry("SETS_BYTES", "sizeof(struct ethtool_sset_info)"),
                        entry("SETS_MASK", "offsetof(struct ethtool_sset_info, sset_mask)"),
                        entry("STRINGS_BYTES", "offsetof(struct ethtool_gstrings, data)"),
                        entry("STRINGS_SET", "offsetof(struct ethtool_gstrings, string_set)"),
                        entry("STRINGS_COUNT", "offsetof(struct ethtool_gstrings, len)"),
                        entry("STATISTICS_BYTES", "offsetof(struct ethtool_stats, data)"),
                        entry("STATISTICS_COUNT", "offsetof(struct ethtool_stats, n_stats)"),
                        entry("FEATURES_BYTES", "offsetof(struct ethtool_gfeatures, features)"),
                        entry("FEATURES_COUNT", "offsetof(struct ethtool_gfeatures, size)"),
                        entry("TIMESTAMPS_BYTES", "sizeof(struct ethtool_ts_info)"),
                        entry("TIMESTAMPS_FLAGS", "offsetof(struct ethtool_ts_info, so_timestamping)"),
                        entry("TIMESTAMPS_CLOCK", "offsetof(struct ethtool_ts_info, phc_index)"),
                        entry("TIMESTAMPS_RECEIVE", "offsetof(struct ethtool_ts_info, rx_filters)"),
                        entry("BLOCK_BYTES", "sizeof(struct ethtool_get_features_block)"),
                        entry("BLOCK_AVAILABLE", "offsetof(struct ethtool_get_features_block, available)"),
                        entry("BLOCK_ACTIVE", "offsetof(struct ethtool_get_features_block, active)"),
                        entry("BLOCK_NEVER_CHANGED", "offsetof(struct ethtool_get_features_block, never_changed)")),
                folder);
    }

    @Test
    void netTstampAgreesWithTheCompiler() throws Exception {
        CompilerConstants.assertAgree(
                NetTstamp.class,
                List.of("linux/sockios.h", "linux/net_tstamp.h"),
                Map.of(
                        "CONFIG_BYTES", "sizeof(struct hwtstamp_config)",
                        "CONFIG_RECEIVE", "offsetof(struct hwtstamp_config, rx_filter)"),
                folder);
    }

    @Test
    void sockDiagAgreesWithTheCompiler() throws Exception {
        CompilerConstants.assertAgree(
                SockDiag.class,
                List.of(
                        "sys/socket.h",
                        "netinet/in.h",
                        "linux/netlink.h",
                        "linux/sock_diag.h",
                        "linux/inet_diag.h",
                        "linux/tcp.h",
                        "linux/packet_diag.h"),
                Map.ofEntries(
                        entry("REQUEST_BYTES", "sizeof(struct inet_diag_req_v2)"),
                        entry("REQUEST_PROTOCOL", "offsetof(struct inet_diag_req_v2, sdiag_protocol)"),
                        entry("REQUEST_EXTENSIONS", "offsetof(struct inet_diag_req_v2, idiag_ext)"),
                        entry("REQUEST_STATES", "offsetof(struct inet_diag_req_v2, idiag_states)"),
                        entry("REQUEST_SOURCE_PORT", "offsetof(struct inet_diag_req_v2, id.idiag_sport)"),
                        entry("REQUEST_DESTINATION_PORT", "offsetof(struct inet_diag_req_v2, id.idiag_dport)"),
                        entry("REQUEST_SOURCE", "offsetof(struct inet_diag_req_v2, id.idiag_src)"),
                        entry("REQUEST_DESTINATION", "offsetof(struct inet_diag_req_v2, id.idiag_dst)"),
                        entry("REQUEST_COOKIE", "offsetof(struct inet_diag_req_v2, id.idiag_cookie)"),
                        entry("SOCKET_STATE", "offsetof(struct inet_diag_msg, idiag_state)"),
                        entry("SOCKET_RECEIVE_QUEUE", "offsetof(struct inet_diag_msg, idiag_rqueue)"),
                        entry("SOCKET_SEND_QUEUE", "offsetof(struct inet_diag_msg, idiag_wqueue)"),
                        entry("TCP_INFO_ROUND_TRIP", "offsetof(struct tcp_info, tcpi_rtt)"),
                        entry("TCP_INFO_RETRANSMISSIONS", "offsetof(struct tcp_info, tcpi_total_retrans)"),
                        entry("SOCKET_BYTES", "sizeof(struct inet_diag_msg)"),
                        entry("SOCKET_SOURCE_PORT", "offsetof(struct inet_diag_msg, id.idiag_sport)"),
                        entry("SOCKET_DESTINATION_PORT", "offsetof(struct inet_diag_msg, id.idiag_dport)"),
                        entry("SOCKET_SOURCE", "offsetof(struct inet_diag_msg, id.idiag_src)"),
                        entry("SOCKET_DESTINATION", "offsetof(struct inet_diag_msg, id.idiag_dst)"),
                        entry("SOCKET_USER", "offsetof(struct inet_diag_msg, idiag_uid)"),
                        entry("SOCKET_INODE", "offsetof(struct inet_diag_msg, idiag_inode)"),
                        entry("PACKET_REQUEST_BYTES", "sizeof(struct packet_diag_req)"),
                        entry("PACKET_REQUEST_SHOW", "offsetof(struct packet_diag_req, pdiag_show)"),
                        entry("PACKET_BYTES", "sizeof(struct packet_diag_msg)"),
                        entry("PACKET_INODE", "offsetof(struct packet_diag_msg, pdiag_ino)"),
                        entry("INFO_INTERFACE", "offsetof(struct packet_diag_info, pdi_index)"),
                        entry("RING_BLOCK_SIZE", "offsetof(struct packet_diag_ring, pdr_block_size)"),
                        entry("RING_BLOCKS", "offsetof(struct packet_diag_ring, pdr_block_nr)")),
                folder);
    }

    @Test
    void routeNetlinkAgreesWithTheCompiler() throws Exception {
        CompilerConstants.assertAgree(
                RouteNetlink.class,
                List.of("linux/netlink.h", "linux/rtnetlink.h", "linux/gen_stats.h"),
                Map.ofEntries(
                        entry("IFINFOMSG", "sizeof(struct ifinfomsg)"),
                        entry("IFADDRMSG", "sizeof(struct ifaddrmsg)"),
                        entry("TCMSG", "sizeof(struct tcmsg)"),
                        entry("TCMSG_HANDLE", "offsetof(struct tcmsg, tcm_handle)"),
                        entry("TCMSG_PARENT", "offsetof(struct tcmsg, tcm_parent)"),
                        entry("QUEUE_BYTES", "sizeof(struct gnet_stats_queue)"),
                        entry("QUEUE_BACKLOG", "offsetof(struct gnet_stats_queue, backlog)"),
                        entry("QUEUE_DROPS", "offsetof(struct gnet_stats_queue, drops)")),
                folder);
    }

    @Test
    void timeAgreesWithTheCompiler() throws Exception {
        CompilerConstants.assertAgree(
                TimeHeader.class,
                List.of("time.h"),
                Map.of(
                        "TIMESPEC_BYTES", "sizeof(struct timespec)",
                        "TIMESPEC_NANOSECONDS", "offsetof(struct timespec, tv_nsec)"),
                folder);
    }

    @Test
    void sysSocketAgreesWithTheCompiler() throws Exception {
        CompilerConstants.assertAgree(
                SysSocket.class,
                List.of("sys/socket.h", "asm/socket.h"),
                Map.ofEntries(
                        entry("MESSAGE_BYTES", "sizeof(struct msghdr) + 8"),
                        entry("MESSAGE_NAME", "offsetof(struct msghdr, msg_name)"),
                        entry("MESSAGE_NAME_LENGTH", "offsetof(struct msghdr, msg_namelen)"),
                        entry("MESSAGE_VECTORS", "offsetof(struct msghdr, msg_iov)"),
                        entry("MESSAGE_VECTOR_COUNT", "offsetof(struct msghdr, msg_iovlen)"),
                        entry("MESSAGE_CONTROL", "offsetof(struct msghdr, msg_control)"),
                        entry("MESSAGE_CONTROL_LENGTH", "offsetof(struct msghdr, msg_controllen)"),
                        entry("MESSAGE_FLAGS", "offsetof(struct msghdr, msg_flags)"),
                        // struct mmsghdr, which <sys/socket.h> has for GNU sources only
                        entry("MESSAGE_LENGTH", "sizeof(struct msghdr)"),
                        entry("VECTOR_BYTES", "sizeof(struct iovec)"),
                        entry("VECTOR_LENGTH", "offsetof(struct iovec, iov_len)"),
                        entry("CONTROL_BYTES", "sizeof(struct cmsghdr)"),
                        entry("CONTROL_LEVEL", "offsetof(struct cmsghdr, cmsg_level)"),
                        entry("CONTROL_TYPE", "offsetof(struct cmsghdr, cmsg_type)")),
                folder);
    }

    @Test
    void netinetInAgreesWithTheCompiler() throws Exception {
        CompilerConstants.assertAgree(
                NetinetIn.class,
                List.of("sys/socket.h", "linux/in.h", "linux/ipv6.h"),
                Map.ofEntries(
                        entry("IPV4_BYTES", "sizeof(struct sockaddr_in)"),
                        entry("PORT", "offsetof(struct sockaddr_in6, sin6_port)"),
                        entry("IPV4_ADDRESS", "offsetof(struct sockaddr_in, sin_addr)"),
                        entry("IPV6_BYTES", "sizeof(struct sockaddr_in6)"),
                        entry("IPV6_ADDRESS", "offsetof(struct sockaddr_in6, sin6_addr)"),
                        entry("IPV6_SCOPE", "offsetof(struct sockaddr_in6, sin6_scope_id)"),
                        entry("PKTINFO_BYTES", "sizeof(struct in_pktinfo)"),
                        entry("PKTINFO_LOCAL", "offsetof(struct in_pktinfo, ipi_spec_dst)"),
                        entry("PKTINFO_HEADER", "offsetof(struct in_pktinfo, ipi_addr)"),
                        entry("PKTINFO6_BYTES", "sizeof(struct in6_pktinfo)"),
                        entry("PKTINFO6_INTERFACE", "offsetof(struct in6_pktinfo, ipi6_ifindex)")),
                folder);
    }

    @Test
    void errqueueAgreesWithTheCompiler() throws Exception {
        CompilerConstants.assertAgree(
                Errqueue.class,
                List.of("linux/types.h", "time.h", "linux/errqueue.h"),
                Map.of(
                        "ERROR_BYTES", "sizeof(struct sock_extended_err)",
                        "ERROR_ERRNO", "offsetof(struct sock_extended_err, ee_errno)",
                        "ERROR_ORIGIN", "offsetof(struct sock_extended_err, ee_origin)"),
                folder);
    }

    @Test
    void pollAgreesWithTheCompiler() throws Exception {
        CompilerConstants.assertAgree(
                PollHeader.class,
                List.of("poll.h", "time.h"),
                Map.of(
                        "SIZE", "sizeof(struct pollfd)",
                        "EVENTS", "offsetof(struct pollfd, events)",
                        "REVENTS", "offsetof(struct pollfd, revents)",
                        "TIME_BYTES", "sizeof(struct timespec)",
                        "TIME_NANOSECONDS", "offsetof(struct timespec, tv_nsec)"),
                folder);
    }

    @Test
    void vectorsAgreeWithTheCompiler() throws Exception {
        CompilerConstants.assertAgree(
                SysUio.class,
                List.of("sys/uio.h", "stddef.h"),
                Map.of(
                        "IOVEC_BYTES", "sizeof(struct iovec)",
                        "IOVEC_LENGTH", "offsetof(struct iovec, iov_len)",
                        "IOV_MAX", "UIO_MAXIOV"),
                folder);
    }
}
