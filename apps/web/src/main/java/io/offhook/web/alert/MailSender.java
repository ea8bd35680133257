package io.offhook.web.alert;

import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.Transport;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Properties;

/** Sends notices by SMTP. Texts of the network stand in the body only, with what controls a terminal masked. */
final class MailSender implements NoticeSender {
    private static final String TIMEOUT_MS = "10000";
    /** RFC 5322, 3.3. */
    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern("EEE, d MMM yyyy HH:mm:ss Z", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private static final String UTF_8 = "UTF-8";

    private final TargetConfig.Mail config;
    private final Session session;

    MailSender(TargetConfig.Mail config) {
        this.config = config;
        TargetConfig.Mail.Server server = config.server();
        Properties properties = new Properties();
        properties.setProperty("mail.smtp.host", server.host());
        properties.setProperty("mail.smtp.port", String.valueOf(server.port()));
        properties.setProperty("mail.smtp.connectiontimeout", TIMEOUT_MS);
        properties.setProperty("mail.smtp.timeout", TIMEOUT_MS);
        properties.setProperty("mail.smtp.writetimeout", TIMEOUT_MS);
        properties.setProperty("mail.smtp.starttls.enable", String.valueOf(server.isTlsRequired()));
        properties.setProperty("mail.smtp.starttls.required", String.valueOf(server.isTlsRequired()));
        properties.setProperty("mail.smtp.ssl.checkserveridentity", "true");
        properties.setProperty("mail.smtp.auth", String.valueOf(server.user() != null));
        properties.setProperty("mail.smtp.from", config.from());
        session = Session.getInstance(properties);
    }

    @Override
    public void send(Notice notice) throws IOException {
        TargetConfig.Mail.Server server = config.server();
        try (Transport transport = session.getTransport("smtp")) {
            MimeMessage message = message(notice);
            transport.connect(server.host(), server.port(), server.user(), server.password());
            transport.sendMessage(message, message.getAllRecipients());
        } catch (MessagingException e) {
            throw new IOException("the mail was not sent: " + e.getMessage(), e);
        }
    }

    private MimeMessage message(Notice notice) throws MessagingException {
        Alert alert = notice.alert();
        MimeMessage message = new MimeMessage(session);
        message.setFrom(new InternetAddress(config.from()));
        for (String to : config.to()) {
            message.addRecipient(Message.RecipientType.TO, new InternetAddress(to));
        }
        message.setSubject(
                masked("Offhook: " + alert.name() + ' ' + notice.state().label()), UTF_8);
        message.setHeader("Date", DATE.format(Instant.ofEpochSecond(0, notice.atNs())));
        message.setHeader("Auto-Submitted", "auto-generated"); // RFC 3834, 5: nobody's absence answers it
        message.setText(
                masked(alert.text()) + "\n\n" + new String(notice.json(), StandardCharsets.UTF_8) + '\n', UTF_8);
        return message;
    }

    /** A line, whatever the text has. */
    private static String masked(String text) {
        StringBuilder line = new StringBuilder(text.length());
        text.codePoints()
                .forEach(c -> line.appendCodePoint(Character.isISOControl(c) || c == 0x2028 || c == 0x2029 ? '?' : c));
        return line.toString();
    }
}
