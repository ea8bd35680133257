package io.offhook.cli.command;

/** The exit codes of the process. */
public final class ExitCode {
    public static final int DONE = 0;
    /** A condition of {@code --fail-on} was met. */
    public static final int FOUND = 1;
    /** Invalid options or arguments. */
    public static final int MISUSE = 2;
    /** A file could not be read, or not to its end. */
    public static final int UNREADABLE = 3;
    /** Offhook could not be started; returned by the launcher only (EX_UNAVAILABLE). */
    public static final int UNAVAILABLE = 69;
    /** Internal error, a bug in Offhook (EX_SOFTWARE of sysexits.h). */
    public static final int INTERNAL = 70;
    /** The output could not be written (EX_IOERR). */
    public static final int UNWRITABLE = 74;

    private ExitCode() {}
}
