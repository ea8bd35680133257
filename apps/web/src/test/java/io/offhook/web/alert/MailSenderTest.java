package io.offhook.web.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MailSenderTest {
    private static MailSender sender(SmtpServer server, boolean isTls, @Nullable String user) {
        return new MailSender(new TargetConfig.Mail(
                new TargetConfig.Mail.Server("127.0.0.1", server.port(), isTls, user, user == null ? null : "geheim"),
                "offhook@example.com",
                List.of("noc@example.com", "boss@example.com")));
    }

    @Test
    void sendsTextAndJsonToAllReceivers() throws Exception {
        try (SmtpServer server = new SmtpServer()) {
            sender(server, false, null).send(Notices.hostile());
            assertThat(server.commands)
                    .contains(
                            "MAIL FROM:<offhook@example.com>",
                            "RCPT TO:<noc@example.com>",
                            "RCPT TO:<boss@example.com>");
            assertThat(server.mail)
                    .contains(
                            "Subject: Offhook: brute force raised",
                            "Auto-Submitted: auto-generated",
                            "Date: Wed, 18 Nov 2026 11:06:41 +0000");
        }
    }

    @Test
    void letsNoTextOfTheNetworkIntoHeaders() throws Exception {
        try (SmtpServer server = new SmtpServer()) {
            Notice hostile = Notices.hostile();
            Alert named = new Alert(
                    "a\r\nBcc: all@example.com",
                    AlertKind.BRUTE_FORCE,
                    0,
                    1,
                    hostile.alert().text());
            sender(server, false, null).send(new Notice(Notice.State.RAISED, named, 0, 0));
            assertThat(server.mail).noneMatch(line -> line.startsWith("Bcc"));
            assertThat(server.commands).noneMatch(line -> line.contains("all@example.com"));
            assertThat(server.mail).noneMatch(line -> line.indexOf(7) >= 0);
        }
    }

    @Test
    void logsIn() throws Exception {
        try (SmtpServer server = new SmtpServer("AUTH PLAIN")) {
            sender(server, false, "offhook").send(Notices.hostile());
            // RFC 4616: the authorization identity, which may be empty, then user and password
            assertThat(server.commands)
                    .filteredOn(line -> line.startsWith("AUTH PLAIN "))
                    .singleElement()
                    .satisfies(line -> assertThat(
                                    new String(Base64.getDecoder().decode(line.substring(11)), StandardCharsets.UTF_8))
                            .endsWith("\0offhook\0geheim"));
            assertThat(server.mail).isNotEmpty();
        }
    }

    @Test
    void sendsNothingInClearWhereTlsIsRequired() throws Exception {
        for (String[] extensions : new String[][] {{"AUTH PLAIN"}, {"STARTTLS", "AUTH PLAIN"}}) {
            try (SmtpServer server = new SmtpServer(extensions)) {
                assertThatThrownBy(() -> sender(server, true, "offhook").send(Notices.hostile()))
                        .isInstanceOf(IOException.class);
                assertThat(server.commands).noneMatch(line -> line.startsWith("AUTH") || line.startsWith("MAIL"));
            }
        }
    }
}
