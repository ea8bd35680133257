package io.offhook.cli.reproduce;

import java.util.List;

/** What a script of one side does next. */
sealed interface Step {
    /**
     * Sends a message.
     *
     * @param text for sipp, escaped
     * @param isRepeated whether sipp sends it again over UDP until it is answered
     */
    record Send(String text, boolean isRepeated) implements Step {}

    /**
     * Waits for a message.
     *
     * @param kind a method or a status
     * @param isRequest whether it is a request
     * @param isOptional whether the script goes on without it
     * @param kept what is kept of it
     */
    record Receive(String kind, boolean isRequest, boolean isOptional, List<Kept> kept) implements Step {}

    /**
     * A variable that a script keeps of a received message.
     *
     * @param variable its name
     * @param header the header, with its colon
     * @param pattern a regular expression of POSIX, matched against its value
     */
    record Kept(String variable, String header, String pattern) {}

    /** Waits for milliseconds, 1 or more. */
    record Pause(long ms) implements Step {}

    /**
     * Begins to play a file of media, beside what follows.
     *
     * @param isAudio whether it is sent to the port of audio; otherwise to that of video
     */
    record Play(String file, boolean isAudio) implements Step {}

    /**
     * Waits for milliseconds, 1 or more, while the message sent last is repeated: nothing is expected.
     */
    record Await(long ms) implements Step {}
}
