package io.offhook.cli.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.Json;
import io.offhook.cli.Offhook;
import io.offhook.library.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys on the command line, on the captures of the tests of {@code decrypt}. */
class DecryptionTest {
    private static final Path CAPTURES = Checkout.ROOT.resolve("voip/decrypt/src/test/resources/decrypt");

    @TempDir
    private Path folder;

    private static String at(String name) {
        return CAPTURES.resolve(name).toString();
    }

    @Test
    void readsSipOverTls() {
        for (String command : List.of("calls", "streams", "registrations", "info")) {
            Offhook.done(command, "--keylog", at("t13a.keys"), at("t13a.pcap"));
        }
        assertThat(messages("--keylog", at("t13a.keys"), at("t13a.pcap"))).hasSize(9);
        assertThat(messages(at("t13a.pcap"))).isEmpty();
        String call = Offhook.done("call", "2", "--keylog", at("t13a.keys"), at("t13a.pcap"))
                .out();
        assertThat(call).contains("INVITE", "180 Ringing", "200 OK");
        assertThat(Offhook.done("calls", "--keylog", at("gcm128.keys"), at("t13a.pcap"))
                        .out())
                .contains("TLS without key 2");
    }

    @Test
    void writesSecretsOnlyWhenAsked() throws IOException {
        String capture = folder.resolve("two.pcapng").toString();
        Offhook.done("call", "1", "--keylog", at("t13a.keys"), at("t13a.pcap"), "-w", capture);
        assertThat(messages("--decrypt", capture)).isEmpty();
        Offhook.done("call", "1", "--keylog", at("t13a.keys"), at("t13a.pcap"), "-w", capture, "--with-secrets");
        assertThat(messages("--decrypt", capture)).hasSize(9);
        assertThat(Offhook.run("call", "1", at("t13a.pcap"), "-w", capture, "--with-secrets")
                        .err())
                .contains("--with-secrets needs");
        assertThat(Files.size(Path.of(capture))).isPositive();
    }

    @Test
    void hearsSrtp() {
        assertThat(audio("sdes.pcap")).containsExactly("", "");
        assertThat(audio("dtls.pcap")).containsExactly(null, null);
        assertThat(audio("dtls.pcap", "--keylog", at("dtls.keys"))).containsExactly("", "");
    }

    @Test
    void saysThatKeysAreWrong() throws IOException {
        String keys = Files.writeString(
                        folder.resolve("keys"),
                        "any AES_CM_128_HMAC_SHA1_80 inline:d0RmdmcmVCspeEc3QGZiNWpVLFJhQX1cfHAwJSoj\n")
                .toString();
        assertThat(Offhook.run("streams", "--dtmf-audio", "--srtp-keys", keys, at("dtls.pcap"))
                        .err())
                .contains("the keys for the SRTP stream 192.0.2.2:", "SSRC 0x33bd40a6, are wrong")
                .doesNotContain("d0Rm");
        assertThat(Offhook.run("calls", "--keylog", folder.resolve("absent").toString(), at("t13a.pcap")))
                .satisfies(result -> assertThat(result.code()).isEqualTo(2))
                .satisfies(result -> assertThat(result.err()).contains("is not a file"));
    }

    /** Everything but the figures that need keys is the same with keys. */
    @Test
    void figuresDoNotDependOnKeys() {
        assertThat(Offhook.done("streams", "--format", "csv", "--keylog", at("dtls.keys"), at("dtls.pcap"))
                        .out())
                .isEqualTo(Offhook.done("streams", "--format", "csv", at("dtls.pcap"))
                        .out());
    }

    private static List<Object> audio(String capture, String... options) {
        String[] args = new String[options.length + 5];
        System.arraycopy(new String[] {"streams", "--format", "json", "--dtmf-audio"}, 0, args, 0, 4);
        System.arraycopy(options, 0, args, 4, options.length);
        args[args.length - 1] = at(capture);
        Map<String, Object> document = Json.object(Offhook.done(args).out());
        return Json.objects(document.get("streams")).stream()
                .map(stream -> stream.get("audioDigits"))
                .toList();
    }

    private static List<Map<String, Object>> messages(String... arguments) {
        String[] args = new String[arguments.length + 3];
        System.arraycopy(new String[] {"messages", "--format", "json"}, 0, args, 0, 3);
        System.arraycopy(arguments, 0, args, 3, arguments.length);
        return Json.objects(Json.object(Offhook.done(args).out()).get("messages"));
    }
}
