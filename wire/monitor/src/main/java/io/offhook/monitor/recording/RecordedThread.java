package io.offhook.monitor.recording;

/**
 * A thread as its record has it.
 *
 * @param index in the file; never used again
 * @param id as the kernel numbers it, which does use numbers again
 * @param isNew whether it begins; a later record of the same index renames it
 * @param isWaitKnown whether the kernel accounts its time in run queues
 * @param isMovingKnown whether the kernel counts its migrations
 */
record RecordedThread(int index, int id, boolean isNew, boolean isWaitKnown, boolean isMovingKnown, String name) {
    private static final int NEW = 1;
    private static final int WAIT_KNOWN = 1 << 1;
    private static final int MOVING_KNOWN = 1 << 2;

    void write(RecordBytes payload) {
        payload.number(index)
                .number((isNew ? NEW : 0) | (isWaitKnown ? WAIT_KNOWN : 0) | (isMovingKnown ? MOVING_KNOWN : 0))
                .number(id)
                .text(name);
    }

    static RecordedThread read(RecordCursor cursor) {
        int index = cursor.count();
        int flags = cursor.count();
        int id = cursor.count();
        return new RecordedThread(
                index, id, (flags & NEW) != 0, (flags & WAIT_KNOWN) != 0, (flags & MOVING_KNOWN) != 0, cursor.text());
    }
}
