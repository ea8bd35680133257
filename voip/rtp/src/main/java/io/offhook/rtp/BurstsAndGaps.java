package io.offhook.rtp;

import io.offhook.rtp.figures.LossFigures;

/**
 * Bursts and gaps of a stream (RFC 3611, 4.7.2): packets that were lost or discarded with fewer than {@value #GMIN} good
 * ones between them belong together. A group of two or more is a burst, from its first to its last; single ones and all
 * good packets are gap. Before the first and behind the last number enough good packets are taken for granted.
 *
 * <p>Fed with impaired numbers in ascending order. Owned by the caller; single-threaded.
 */
public final class BurstsAndGaps {
    /** The number of good packets that ends a burst. */
    public static final int GMIN = 16;

    private long groupFirst;
    private long groupLast;
    private long groupImpaired;
    private long firstBurst;
    private long lastBurstEnd;
    private boolean isBurstInRun;
    private boolean isGapOpen;
    private long bursts;
    private long burstPackets;
    private long burstImpaired;
    private long gaps;
    private long gapImpaired;
    private long packets;

    BurstsAndGaps() {}

    private BurstsAndGaps(BurstsAndGaps other) {
        groupFirst = other.groupFirst;
        groupLast = other.groupLast;
        groupImpaired = other.groupImpaired;
        firstBurst = other.firstBurst;
        lastBurstEnd = other.lastBurstEnd;
        isBurstInRun = other.isBurstInRun;
        isGapOpen = other.isGapOpen;
        bursts = other.bursts;
        burstPackets = other.burstPackets;
        burstImpaired = other.burstImpaired;
        gaps = other.gaps;
        gapImpaired = other.gapImpaired;
        packets = other.packets;
    }

    /** The bursts and gaps as figures have them. */
    static BurstsAndGaps of(LossFigures.Groups figures) {
        BurstsAndGaps groups = new BurstsAndGaps();
        groups.bursts = figures.bursts();
        groups.burstPackets = figures.burstPackets();
        groups.burstImpaired = figures.burstImpaired();
        groups.gaps = figures.gaps();
        groups.gapImpaired = figures.gapImpaired();
        groups.packets = figures.packets();
        return groups;
    }

    /** The bursts and gaps of the runs that are closed. */
    LossFigures.Groups figures() {
        return new LossFigures.Groups(bursts, burstPackets, burstImpaired, gaps(), gapImpaired, packets);
    }

    BurstsAndGaps copy() {
        return new BurstsAndGaps(this);
    }

    /** Adds numbers from {@code first} on that were lost or discarded. */
    void impair(long first, int count) {
        if (groupImpaired > 0 && first - groupLast - 1 >= GMIN) {
            closeGroup();
        }
        if (groupImpaired == 0) {
            groupFirst = first;
        }
        groupImpaired += count;
        groupLast = first + count - 1;
    }

    private void closeGroup() {
        if (groupImpaired == 1) {
            gapImpaired++;
        } else if (groupImpaired > 1) {
            bursts++;
            burstPackets += groupLast - groupFirst + 1;
            burstImpaired += groupImpaired;
            if (isBurstInRun) {
                gaps++;
            } else {
                firstBurst = groupFirst;
                isBurstInRun = true;
            }
            lastBurstEnd = groupLast;
        }
        groupImpaired = 0;
    }

    /** Ends a run of numbers; those of the next run follow its last one. */
    void closeRun(long lowest, long highest) {
        closeGroup();
        packets += highest - lowest + 1;
        if (!isBurstInRun) {
            isGapOpen = true;
            return;
        }
        if (isGapOpen || firstBurst > lowest) {
            gaps++;
        }
        isGapOpen = lastBurstEnd < highest;
        isBurstInRun = false;
    }

    /** The number of bursts. */
    public long bursts() {
        return bursts;
    }

    /** The share of packets within bursts that were lost or discarded, in percent; 0 without bursts. */
    public double burstLossPercent() {
        return percent(burstImpaired, burstPackets);
    }

    /** The mean length of a burst, in packets; 0 without bursts. */
    public double meanBurstPackets() {
        return bursts == 0 ? 0 : (double) burstPackets / bursts;
    }

    /** The number of gaps: the stretches before, between and behind the bursts that have packets. */
    public long gaps() {
        return gaps + (isGapOpen ? 1 : 0);
    }

    /** The share of packets outside of bursts that were lost or discarded, in percent; 0 without gaps. */
    public double gapLossPercent() {
        return percent(gapImpaired, packets - burstPackets);
    }

    /** The mean length of a gap, in packets; 0 without gaps. */
    public double meanGapPackets() {
        return gaps() == 0 ? 0 : (double) (packets - burstPackets) / gaps();
    }

    private static double percent(long part, long whole) {
        return whole == 0 ? 0 : 100.0 * part / whole;
    }
}
