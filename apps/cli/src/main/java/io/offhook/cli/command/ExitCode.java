package io.offhook.cli.command;

/** What the process ends with. */
public final class ExitCode {
    public static final int DONE = 0;
    /** {@code --fail-on} was given, and something met it. */
    public static final int FOUND = 1;
    /** Options or arguments that make no sense. */
    public static final int MISUSE = 2;
    /** A file could not be read, or not to its end. */
    public static final int UNREADABLE = 3;
    /** The launcher's: Offhook could not be started at all (EX_UNAVAILABLE). */
    public static final int UNAVAILABLE = 69;
    /** Internal error, a bug in Offhook (EX_SOFTWARE of sysexits.h). */
    public static final int INTERNAL = 70;
    /** The output could not be written (EX_IOERR). */
    public static final int UNWRITABLE = 74;

    private ExitCode() {}
}
