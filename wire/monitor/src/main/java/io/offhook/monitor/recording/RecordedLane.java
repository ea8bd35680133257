package io.offhook.monitor.recording;

/**
 * A lane as its record has it.
 *
 * @param index in the file; not used again once a look has no row of it
 * @param nativeId of its thread
 * @param pinnedTo the processor that it is pinned to; -1 if it may run anywhere
 * @param queue what it takes from; empty if that is not known
 * @param room how much fits its queue; 0 if that is not known
 * @param before what it did from its begin until the look before, of which only sums count
 */
record RecordedLane(int index, int nativeId, int pinnedTo, String name, String queue, long room, LaneDelta before) {
    void write(RecordBytes payload) {
        payload.number(index).number(nativeId).number(pinnedTo + 1L).text(name).text(queue);
        payload.number(room)
                .number(before.busyUs)
                .number(before.idleUs)
                .number(before.rounds)
                .number(before.frames)
                .number(before.stalls)
                .number(before.drops);
    }

    static RecordedLane read(RecordCursor cursor) {
        int index = cursor.count();
        int nativeId = cursor.count();
        int pinnedTo = cursor.count() - 1;
        String name = cursor.text();
        String queue = cursor.text();
        long room = Math.max(0, cursor.number());
        LaneDelta before = new LaneDelta(index);
        before.busyUs = Math.max(0, cursor.number());
        before.idleUs = Math.max(0, cursor.number());
        before.rounds = Math.max(0, cursor.number());
        before.frames = Math.max(0, cursor.number());
        before.stalls = Math.max(0, cursor.number());
        before.drops = Math.max(0, cursor.number());
        return new RecordedLane(index, nativeId, pinnedTo, name, queue, room, before);
    }

    /** The same lane, with what it did until another look. */
    RecordedLane with(LaneDelta done) {
        LaneDelta copy = new LaneDelta(index);
        copy.add(done);
        return new RecordedLane(index, nativeId, pinnedTo, name, queue, room, copy);
    }

    /** Whether all but what it did is the same. */
    boolean isAs(RecordedLane other) {
        return nativeId == other.nativeId
                && pinnedTo == other.pinnedTo
                && name.equals(other.name)
                && queue.equals(other.queue)
                && room == other.room;
    }
}
