package io.offhook.proxy.dns;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.config.ConfigException;
import io.offhook.config.ConfigReader;
import io.offhook.testkit.peers.JavaProcess;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.NAPTRRecord;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.SRVRecord;
import org.xbill.DNS.Section;

class DnsMessagesTest {
    private static final DnsQuestion QUESTION = new DnsQuestion("example.com", DnsType.SRV);

    private static byte[] answer() {
        Name name = Name.fromConstantString("example.com.");
        Message message = new Message(7);
        message.getHeader().setFlag(Flags.QR);
        message.addRecord(Record.newRecord(name, 33, DClass.IN), Section.QUESTION);
        for (int i = 0; i < 3; i++) {
            message.addRecord(new SRVRecord(name, DClass.IN, 60, 3 - i, i, 5060, name), Section.ANSWER);
        }
        message.addRecord(new NAPTRRecord(name, DClass.IN, 60, 1, 2, "s", "SIP+D2U", "", name), Section.ADDITIONAL);
        return message.toWire();
    }

    private static DnsReply read(byte[] octets) {
        return new DnsMessages(new DnsCounts()).read(octets, QUESTION, 7);
    }

    @Test
    void readsServicesByPriority() {
        assertThat(read(answer()).answer().records())
                .extracting(record -> ((DnsRecord.Service) record).priority())
                .containsExactly(1, 2, 3);
    }

    @Test
    void anyCutAndAnyBytesHaveAReply() {
        byte[] answer = answer();
        for (int length = 0; length < answer.length; length++) {
            DnsReply.Kind kind = read(Arrays.copyOf(answer, length)).kind();
            assertThat(kind).isIn(DnsReply.Kind.MALFORMED, DnsReply.Kind.MISMATCHED, DnsReply.Kind.NO_EDNS);
        }
        Random random = new Random(11);
        for (int run = 0; run < 20_000; run++) {
            byte[] octets = answer.clone();
            for (int i = 0; i <= random.nextInt(8); i++) {
                octets[2 + random.nextInt(octets.length - 2)] = (byte) random.nextInt();
            }
            assertThat(read(octets)).as("seed 11, run %d", run).isNotNull();
        }
    }

    @Test
    void readsPointersOfHighOrderBehindThoseOfLow() {
        Name name = Name.fromConstantString("example.com.");
        Message message = new Message(7);
        message.getHeader().setFlag(Flags.QR);
        message.addRecord(Record.newRecord(name, 35, DClass.IN), Section.QUESTION);
        for (int order : new int[] {40_000, 5}) {
            message.addRecord(new NAPTRRecord(name, DClass.IN, 60, order, 2, "s", "SIP+D2U", "", name), Section.ANSWER);
        }
        assertThat(new DnsMessages(new DnsCounts())
                        .read(message.toWire(), new DnsQuestion("example.com", DnsType.NAPTR), 7)
                        .answer()
                        .records())
                .extracting(record -> ((DnsRecord.Pointer) record).order())
                .containsExactly(5, 40_000);
    }

    /** Without a logging framework, the API of dnsjava would complain on standard error. */
    @Test
    void printsNothing() {
        assertThat(JavaProcess.run(List.of(), Quiet.class)).containsExactly("nothing");
    }

    static final class Quiet {
        private Quiet() {}

        public static void main(String[] arguments) throws Exception {
            java.io.ByteArrayOutputStream printed = new java.io.ByteArrayOutputStream();
            System.setErr(new java.io.PrintStream(printed, true, java.nio.charset.StandardCharsets.UTF_8));
            DnsMessages messages = new DnsMessages(new DnsCounts());
            byte[] query = messages.query(QUESTION, 7, true);
            query[2] |= (byte) 0x80;
            messages.read(query, QUESTION, 7);
            DnsMessages.systemServers();
            System.out.println(
                    printed.size() == 0 ? "nothing" : printed.toString(java.nio.charset.StandardCharsets.UTF_8));
        }
    }

    @Test
    void reportsFaultsOfTheConfiguration() {
        assertThat(faults("servers: [dns.example.com]")).contains("\"dns.example.com\" is not an address");
        assertThat(faults("servers: ['192.0.2.1:99999']")).contains("is not an address");
        assertThat(faults("servers: ['[192.0.2.1]:53']")).contains("is not an address");
        assertThat(faults("hosts: {'a b': [192.0.2.1]}")).contains("\"a b\", which is not a host name");
        assertThat(faults("cache: {min-ttl: 2h}")).contains("is longer than max-ttl");
        assertThat(faults("enum: {suffix: 'e164..arpa'}")).contains("is not a domain");
    }

    private static String faults(String yaml) {
        try {
            ConfigReader.of(DnsConfig.schema()).read(yaml, "dns.yaml");
            return "none";
        } catch (ConfigException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
