package io.offhook.web.alert;

import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigType;
import io.offhook.config.ConfigTypes;
import io.offhook.config.ConfigValues;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whom alerts are sent to. */
public sealed interface TargetConfig {
    /** The kinds of targets. */
    static ConfigType<TargetConfig> type() {
        return ConfigTypes.choice(List.of(Webhook.SCHEMA, Command.SCHEMA, Mail.SCHEMA));
    }

    /**
     * A server that gets notices as JSON by POST.
     *
     * @param url where, by http or https
     * @param token sent as {@code Authorization: Bearer}; null for none
     * @param timeoutNs of one attempt, nanoseconds
     */
    record Webhook(URI url, @Nullable String token, long timeoutNs) implements TargetConfig {
        private static final ConfigKey<URI> URL = ConfigKey.required(
                "url", ConfigTypes.scalar("URL", Webhook::url), "Where notices are posted as JSON, by http or https.");
        private static final ConfigKey<String> TOKEN =
                ConfigKey.optional("token", ConfigTypes.text(4000), "Sent as `Authorization: Bearer`. Default none.");
        private static final ConfigKey<Long> TIMEOUT = ConfigKey.of(
                "timeout",
                ConfigTypes.durationNs(100_000_000L, 60_000_000_000L),
                "10s",
                "How long an attempt may take.");
        private static final ConfigSchema<Webhook> SCHEMA = ConfigSchema.of(
                "webhook",
                "Posts each notice as an object in JSON; what is not answered by a status of 200 to 299 is tried"
                        + " again.",
                values -> new Webhook(values.get(URL), values.find(TOKEN), values.get(TIMEOUT)),
                URL,
                TOKEN,
                TIMEOUT);

        private static URI url(String text) {
            URI url = URI.create(text);
            if (url.getHost() == null || !"http".equals(url.getScheme()) && !"https".equals(url.getScheme())) {
                throw new IllegalArgumentException("\"" + text + "\" is no URL such as https://example.com/hook");
            }
            return url;
        }

        @Override
        public String toString() {
            return "webhook " + url;
        }
    }

    /**
     * A program that gets a notice as JSON on its standard input.
     *
     * @param command the program and its arguments, which no shell reads
     * @param timeoutNs after which it is killed, nanoseconds
     */
    record Command(List<String> command, long timeoutNs) implements TargetConfig {
        private static final ConfigKey<List<String>> RUN = ConfigKey.required(
                "run",
                ConfigTypes.list(ConfigTypes.text(4000), 64),
                "The program and its arguments, as a list; no shell reads it.");
        private static final ConfigKey<Long> TIMEOUT = ConfigKey.of(
                "timeout",
                ConfigTypes.durationNs(100_000_000L, 600_000_000_000L),
                "30s",
                "After which it is killed, with the processes that it started.");
        private static final ConfigSchema<Command> SCHEMA = ConfigSchema.of(
                "command",
                "Runs a program, which gets the notice as an object in JSON on its standard input; what does not exit"
                        + " with 0 is tried again.",
                Command::of,
                RUN,
                TIMEOUT);

        /** Copies the command. */
        public Command {
            command = List.copyOf(command);
        }

        private static Command of(ConfigValues values) {
            List<String> run = values.get(RUN);
            if (run.isEmpty()) {
                values.fault(RUN, "is empty; the program is its first item");
            }
            return new Command(run, values.get(TIMEOUT));
        }
    }

    /**
     * Mailboxes.
     *
     * @param server that takes the mail
     * @param from the address of the sender
     * @param to those of the receivers
     */
    record Mail(Server server, String from, List<String> to) implements TargetConfig {
        private static final ConfigType<String> ADDRESS =
                ConfigTypes.scalar("mail address", TargetConfig.Mail::address);
        private static final ConfigKey<String> HOST =
                ConfigKey.required("host", ConfigTypes.text(255), "The SMTP server.");
        private static final ConfigKey<Integer> PORT =
                ConfigKey.of("port", ConfigTypes.integer(1, 65_535), "587", "Its port.");
        private static final ConfigKey<Boolean> TLS = ConfigKey.of(
                "starttls",
                ConfigTypes.bool(),
                "true",
                "Whether STARTTLS is required, and the certificate checked; without it, mail and password are in"
                        + " clear.");
        private static final ConfigKey<String> USER =
                ConfigKey.optional("user", ConfigTypes.text(255), "For the login. Default none.");
        private static final ConfigKey<String> PASSWORD =
                ConfigKey.optional("password", ConfigTypes.text(1000), "For the login.");
        private static final ConfigKey<String> FROM = ConfigKey.required("from", ADDRESS, "The sender's address.");
        private static final ConfigKey<List<String>> TO =
                ConfigKey.required("to", ConfigTypes.list(ADDRESS, 32), "The receivers' addresses.");
        private static final ConfigSchema<Mail> SCHEMA =
                ConfigSchema.of("mail", "Sends a mail a notice.", Mail::of, HOST, PORT, TLS, USER, PASSWORD, FROM, TO);

        /**
         * An SMTP server.
         *
         * @param host its name or address
         * @param port its port
         * @param isTlsRequired whether STARTTLS must be there
         * @param user for the login; null for none
         * @param password for the login
         */
        public record Server(
                String host,
                int port,
                boolean isTlsRequired,
                @Nullable String user,
                @Nullable String password) {
            @Override
            public String toString() {
                return host + ":" + port;
            }
        }

        /** Copies the receivers. */
        public Mail {
            to = List.copyOf(to);
        }

        private static Mail of(ConfigValues values) {
            String user = values.find(USER);
            String password = values.find(PASSWORD);
            if ((user == null) != (password == null) && !values.isFaulty(USER) && !values.isFaulty(PASSWORD)) {
                values.fault(user == null ? USER : PASSWORD, "is missing; a login has both user and password");
            }
            List<String> to = values.get(TO);
            if (to.isEmpty()) {
                values.fault(TO, "is empty; it has one address at least");
            }
            return new Mail(
                    new Server(values.get(HOST), values.get(PORT), values.get(TLS), user, password),
                    values.get(FROM),
                    to);
        }

        private static String address(String text) {
            if (!text.matches("[^\\s@<>,;\"\\p{Cntrl}]{1,64}@[^\\s@<>,;\"\\p{Cntrl}]{1,255}")) {
                throw new IllegalArgumentException("\"" + text + "\" is no address such as noc@example.com");
            }
            return text;
        }
    }
}
