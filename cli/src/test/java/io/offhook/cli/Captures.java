package io.offhook.cli;

import static io.offhook.testkit.Party.CALLEE;
import static io.offhook.testkit.Party.CALLER;

import io.offhook.testkit.Capture;
import io.offhook.testkit.Scenarios;
import io.offhook.testkit.Traffic;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/** Captures that several tests read. */
final class Captures {
    private Captures() {}

    /**
     * Four calls, half a second apart: alice calls bob and bob hangs up; +4930123456 finds 1002 busy; carol cancels her call
     * to dave; erin talks to bob. And a registration of alice's.
     */
    static Traffic office() {
        return new Traffic(11)
                .every(500)
                .call(call -> call.callId("one@office")
                        .from("alice")
                        .to("bob")
                        .answered()
                        .talk(1500)
                        .hangUp(CALLEE))
                .call(call -> call.callId("two@office")
                        .from("+4930123456")
                        .to("1002")
                        .invite()
                        .trying()
                        .ringing()
                        .rejected(486, "Busy Here"))
                .call(call -> call.callId("three@office")
                        .from("carol")
                        .to("dave")
                        .invite()
                        .trying()
                        .ringing()
                        .cancelled())
                .call(call -> call.callId("four@office")
                        .from("erin")
                        .to("bob")
                        .answered()
                        .talk(2000)
                        .hangUp(CALLER))
                .registration("alice", 200);
    }

    static String write(Capture capture, Path folder, String name) {
        try {
            return capture.writeTo(folder.resolve(name)).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String scenario(String scenario, Path folder) {
        return write(Scenarios.traffic(scenario, 3).capture(), folder, scenario + ".pcap");
    }
}
