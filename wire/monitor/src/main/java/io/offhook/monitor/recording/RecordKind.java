package io.offhook.monitor.recording;

/** The numbers and limits of the format (docs/RECORDINGS.md). Kinds that a reader does not know are skipped. */
final class RecordKind {
    /** The process that was watched: the first record. */
    static final int PROCESS = 1;
    /** A thread: its index in this file, number and name; again if its name changes. */
    static final int THREAD = 2;
    /** What the threads did between two looks, or in the time for which a mean was kept. */
    static final int LOOK = 3;
    /** How the recording ended. */
    static final int END = 4;
    /** Up to when what was recorded is gone, for the limit. */
    static final int FORGOTTEN = 5;
    /** Records without checksums, deflated (RFC 1951). */
    static final int PACKED = 6;

    /** The name of a thread in Java, or as the JVM has it; again if it changes. */
    static final int JAVA_NAME = 7;
    /** How long threads were in the states of Java, in the look that follows. */
    static final int JAVA_STATES = 8;
    /** A pause of a JVM that ended in the look that follows. */
    static final int PAUSE = 9;

    /** Who waits for which lock, and deadlocks: from the look that follows until the next of this kind. */
    static final int LOCKS = 10;
    /** A lane that the process publishes: its index in this file, and what it did before; again if it changes. */
    static final int LANE = 11;
    /** What the lanes did in the look that follows. */
    static final int LANES = 12;
    /** The name of a method, by a number that later ones may be given. */
    static final int METHOD = 13;
    /** Hot methods and allocation of threads, which became known in the look that follows. */
    static final int PROFILES = 14;

    static final byte[] MAGIC = {'O', 'f', 'f', 'h', 'o', 'o', 'k', 'T'};
    /** Raised when skipping what is unknown is not enough to read a file. */
    static final int VERSION = 1;

    static final int HEADER_LENGTH = 16;
    static final int CHECKSUM_LENGTH = 4;
    /** The most bytes of a record: 4,096 threads, each with a long row, are less. */
    static final int MOST_BYTES = 1 << 24;

    private RecordKind() {}
}
