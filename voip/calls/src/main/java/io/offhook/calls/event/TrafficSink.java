package io.offhook.calls.event;

import io.offhook.rtp.RtpRows;

/**
 * Takes what was seen of calls, round by round: all SIP of the round, {@link #publish}, its RTCP and ICMP errors, reports of
 * others on media, all its RTP, {@link #endOfRound}. Does no I/O that blocks and reads no clock, so that what it makes is a function of what it is
 * given. All methods do nothing unless overridden.
 *
 * <p>{@link #sip} and {@link #rtp} are called for several shards at the same time, each shard by one thread at a time and
 * in the order of capture; the other methods are called alone. What is passed is borrowed until the round ends.
 */
public interface TrafficSink extends ContainedSink {

    /** The first packet was captured; nothing else is reported before. Nanoseconds since the epoch. */
    default void begin(long firstNs) {}

    /** A SIP message of a shard, which is chosen by Call-ID. */
    default void sip(int shard, SipPacket message) {}

    /** All SIP of the round was reported. */
    default void publish() {}

    /** A compound RTCP packet. */
    default void rtcp(RtcpPacket packet) {}

    /** An ICMP or ICMPv6 error. */
    default void icmp(IcmpEvent event) {}

    /** Figures of a stream that somebody else measured; only where a transport delivers them, never from a capture. */
    default void measured(MediaReport report) {}

    /** RTP of a shard, which is chosen by stream; empty lists are left out. */
    default void rtp(int shard, RtpRows rows) {}

    /** All of the round was reported. The time of its latest packet, nanoseconds since the epoch. */
    default void endOfRound(long latestNs) {}
}
