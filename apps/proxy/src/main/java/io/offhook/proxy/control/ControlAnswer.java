package io.offhook.proxy.control;

import io.offhook.proxy.line.JsonLine;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** The lines of an answer. {@link #line} begins one, {@link #send} sends it. For one thread. */
public final class ControlAnswer {
    private final OutputStream out;
    private final JsonLine line = new JsonLine();

    ControlAnswer(OutputStream out) {
        this.out = out;
    }

    /** An empty line: always the same object, whose former content was sent or is given up. */
    public JsonLine line() {
        return line.clear();
    }

    /** Sends the line. */
    public void send() throws IOException {
        StringBuilder text = new StringBuilder(line.length() + 1);
        line.appendTo(text);
        out.write(text.append('\n').toString().getBytes(StandardCharsets.UTF_8));
    }

    void done() throws IOException {
        line().object().field("ok", true).end();
        send();
        out.flush();
    }

    void failed(String why) throws IOException {
        line().object().field("ok", false).field("error", why).end();
        send();
        out.flush();
    }
}
