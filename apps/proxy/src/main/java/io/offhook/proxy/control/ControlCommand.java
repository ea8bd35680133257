package io.offhook.proxy.control;

import java.io.IOException;

/** A command of the control socket. Run by a virtual thread of its connection, so that it may wait; several may run at once. */
public interface ControlCommand {

    /** The first word of the request. */
    String name();

    /**
     * Does it and answers.
     *
     * @throws ControlException if it cannot be done; the message is the answer
     * @throws IOException if the answer cannot be sent; the connection ends
     */
    void run(ControlRequest request, ControlAnswer answer) throws IOException;
}
