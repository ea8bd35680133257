package io.offhook.sip.proxy;

import static io.offhook.sip.proxy.Draft.ALICE;
import static io.offhook.sip.proxy.Draft.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Fuzz targets for the proxy core; in ordinary runs it takes the seeds in resources. */
class ProxyFuzzTest {
    /** Up to 16 messages one after the other, each after a byte with its sender and a zero byte at its end. */
    @FuzzTest(maxDuration = "60s")
    void messages(byte[] bytes) {
        exchange(new ProxyScene(), bytes);
    }

    /** As above, with a proxy that hides what is on its other side. */
    @FuzzTest(maxDuration = "60s")
    void hiddenMessages(byte[] bytes) {
        exchange(new ProxyScene(ProxySettings.standard(1).with(new ProxySettings.Presence(true, true))), bytes);
    }

    /** What others send as ours is not opened unless it was sealed here; what was sealed is opened. */
    @FuzzTest(maxDuration = "60s")
    void sealedText(byte[] letters) {
        SealedText sealed = new SealedText(new RouteKey(1, 2));
        assertThat(sealed.open('v', letters, 0, letters.length)).isNull();
        byte[] own = sealed.seal('v', letters, 0, letters.length).getBytes(StandardCharsets.US_ASCII);
        assertThat(sealed.open('r', own, 0, own.length)).isNull();
        assertThat(sealed.open('v', own, 0, own.length)).isEqualTo(letters.length == 0 ? null : letters);
    }

    private static void exchange(ProxyScene scene, byte[] bytes) {
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
