package io.offhook.calls.event;

import io.offhook.rtp.RtpRows;

/**
 * Receives the traffic of calls, round by round: all SIP of the round, {@link #publish}, its RTCP and ICMP errors,
 * media reports of others, all its RTP, {@link #endOfRound}. It does no blocking I/O and reads no clock, so that its
 * result is a function of what it receives. All methods do nothing unless overridden.
 *
 * <p>{@link #sip} and {@link #rtp} are called for several shards at a time, for each shard by one thread at a time and
 * in the order of capture. From the first round with a SIP message that lacks a part of its headers on, all SIP is passed by
 * one thread, in the order of capture. The other methods are called while no other is running. What is passed is borrowed
 * until the round ends.
 */
public interface TrafficSink extends ContainedSink {

    /** Called before anything else, with the time of the first packet in nanoseconds since the epoch. */
    default void begin(long firstNs) {}

    /** A SIP message of a shard; the Call-ID determines the shard. */
    default void sip(int shard, SipPacket message) {}

    /** All SIP of the round has been passed. */
    default void publish() {}

    /** A compound RTCP packet. */
    default void rtcp(RtcpPacket packet) {}

    /** An ICMP or ICMPv6 error. */
    default void icmp(IcmpEvent event) {}

    /** Figures of a stream that somebody else measured, or only the call that it belongs to, as agents report by HEP. */
    default void measured(MediaReport report) {}

    /** RTP of a shard; the stream determines the shard. Empty lists are left out. */
    default void rtp(int shard, RtpRows rows) {}

    /**
     * The whole round has been passed. {@code latestNs} is the time of the latest packet so far, nanoseconds since the
     * epoch.
     */
    default void endOfRound(long latestNs) {}
}
