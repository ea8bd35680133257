package io.offhook.sip.proxy;

import static io.offhook.sip.proxy.Draft.ALICE;
import static io.offhook.sip.proxy.Draft.BOB;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** A fuzz target for the proxy core; in ordinary runs it takes the seeds in resources. */
class ProxyFuzzTest {
    /** Up to 16 messages one after the other, each after a byte with its sender and a zero byte at its end. */
    @FuzzTest(maxDuration = "60s")
    void messages(byte[] bytes) {
        ProxyScene scene = new ProxyScene();
        List<String> own = ProxyAnyBytesTest.messages(scene);
        ProxyAnyBytesTest.policy(scene);
        int at = 0;
        for (int turn = 0; turn < 16 && at < bytes.length; turn++) {
            int sender = bytes[at++] & 0xff;
            int end = at;
            while (end < bytes.length && bytes[end] != 0) {
                end++;
            }
            scene.receive(sender % 2 == 0 ? ALICE : "TCP " + BOB, sender % 3, Arrays.copyOfRange(bytes, at, end));
            scene.receive(BOB, 0, own.get(sender % own.size()).getBytes(StandardCharsets.UTF_8));
            scene.passMs(sender);
            at = end + 1;
        }
        ProxyAnyBytesTest.end(scene);
    }
}
