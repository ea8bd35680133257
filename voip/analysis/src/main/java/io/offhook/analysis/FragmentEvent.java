package io.offhook.analysis;

import java.lang.foreign.MemorySegment;

/**
 * An IP fragment in the batch that is being read.
 *
 * @param ipOffset of its IP header in the segment
 * @param ipLength captured bytes from there
 * @param scope VLAN or other number that keeps equal addresses apart
 */
record FragmentEvent(
        MemorySegment segment, long ipOffset, int ipLength, long timestampNs, long frameNumber, int scope) {}
