package io.offhook.cli;

import static io.offhook.testkit.truth.Party.CALLEE;
import static io.offhook.testkit.truth.Party.CALLER;

import io.offhook.testkit.traffic.Capture;
import io.offhook.testkit.traffic.Scenarios;
import io.offhook.testkit.traffic.Traffic;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/** Captures that several tests read. */
public final class Captures {
    private Captures() {}

    /**
     * Four calls, half a second apart: alice calls bob and bob hangs up; +4930123456 finds 1002 busy; carol cancels her call
     * to dave; erin talks to bob. And a registration of alice's.
     */
    public static Traffic office() {
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

    public static String write(Capture capture, Path folder, String name) {
        try {
            return capture.writeTo(folder.resolve(name)).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static String scenario(String scenario, Path folder) {
        return write(Scenarios.traffic(scenario, 3).capture(), folder, scenario + ".pcap");
    }
}
