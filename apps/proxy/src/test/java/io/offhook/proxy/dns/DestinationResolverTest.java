package io.offhook.proxy.dns;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.config.ConfigReader;
import io.offhook.packet.IpAddress;
import io.offhook.sip.SipTransport;
import io.offhook.sip.SipUri;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Section;

/** Where URIs lead, asked of a DNS server on the loopback interface. */
class DestinationResolverTest {
    private static final List<SipTransport> ALL =
            List.of(SipTransport.UDP, SipTransport.TCP, SipTransport.TLS, SipTransport.WS, SipTransport.WSS);
    private static final TargetPolicy ANY = new TargetPolicy(false, ALL);

    private final AtomicLong nowMs = new AtomicLong(1_800_000_000_000L);
    private final InstantSource clock = () -> Instant.ofEpochMilli(nowMs.get());
    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
    }

    private LoopbackDns dns(String... zone) throws IOException {
        LoopbackDns dns = new LoopbackDns(zone);
        open.add(dns);
        return dns;
    }

    private DestinationResolver resolver(LoopbackDns dns, String... keys) {
        return resolver("servers: ['" + dns.endpoint() + "']", keys);
    }

    private DestinationResolver resolver(String first, String... keys) {
        DestinationResolver resolver =
                new DestinationResolver(config(first, keys), clock, new AtomicLong()::incrementAndGet);
        open.add(resolver);
        return resolver;
    }

    /** Servers of a test have long, as machines may be slow, unless it says otherwise. */
    private static DnsConfig config(String first, String... keys) {
        String yaml = first + "\n" + String.join("\n", keys);
        return ConfigReader.of(DnsConfig.schema())
                .read(yaml.contains("timeout:") ? yaml : yaml + "\ntimeout: 20s", "dns.yaml");
    }

    private static Resolution resolve(DestinationResolver resolver, String uri, TargetPolicy policy) throws Exception {
        return resolver.resolve(SipUri.parse(uri), policy).toCompletableFuture().get(30, TimeUnit.SECONDS);
    }

    /** The destinations as text, one a line. */
    private static List<String> found(DestinationResolver resolver, String uri) throws Exception {
        Resolution resolution = resolve(resolver, uri, ANY);
        assertThat(resolution.status()).as(uri).isEqualTo(Resolution.Status.FOUND);
        return resolution.destinations().stream().map(Destination::toString).toList();
    }

    private static Resolution.Status status(DestinationResolver resolver, String uri) throws Exception {
        Resolution resolution = resolve(resolver, uri, ANY);
        assertThat(resolution.destinations()).isEmpty();
        return resolution.status();
    }

    // ---- without DNS

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sip:bob@192.0.2.1|UDP 192.0.2.1:5060",
                "sip:bob@192.0.2.1:5070|UDP 192.0.2.1:5070",
                "sip:192.0.2.1;transport=tcp|TCP 192.0.2.1:5060",
                "sip:192.0.2.1;transport=TLS|TLS 192.0.2.1:5061",
                "sip:[2001:db8::1]:5062;transport=tcp|TCP [2001:db8::1]:5062",
                "sips:192.0.2.1|TLS 192.0.2.1:5061",
                "sips:192.0.2.1;transport=tcp|TLS 192.0.2.1:5061",
                "sip:192.0.2.1;transport=ws|WS 192.0.2.1:80",
                "sips:192.0.2.1;transport=ws|WSS 192.0.2.1:443",
                "sip:example.com;maddr=192.0.2.9|UDP 192.0.2.9:5060",
                "sip:example.com:5088;maddr=[2001:db8::9];transport=tcp|TCP [2001:db8::9]:5088",
                "sip:bob@localhost:5070;transport=tcp|TCP 127.0.0.1:5070,TCP [::1]:5070",
            })
    void takesAddressPortAndTransportFromTheUri(String uri, String destinations) {
        DestinationResolver resolver = resolver("enabled: false");

        Resolution resolution = Objects.requireNonNull(resolver.resolveNow(SipUri.parse(uri), ANY));

        assertThat(resolution.destinations().stream().map(Destination::toString).collect(Collectors.joining(",")))
                .isEqualTo(destinations);
    }

    @ParameterizedTest
    @CsvSource({
        "sip:192.0.2.1;transport=sctp",
        "sip:192.0.2.1;transport=pigeon",
        "sips:192.0.2.1;transport=udp",
        "tel:+441632960083",
        "http://example.com/",
        "sip:"
    })
    void refusesWhatItCannotSendTo(String uri) throws Exception {
        assertThat(status(resolver("enabled: false"), uri)).isEqualTo(Resolution.Status.UNSUPPORTED);
    }

    @Test
    void sendsBySecureTransportsOnlyWhereThePolicySaysSo() throws Exception {
        DestinationResolver resolver = resolver("enabled: false");
        TargetPolicy secure = new TargetPolicy(true, ALL);

        assertThat(resolve(resolver, "sip:192.0.2.1", secure).destinations())
                .containsExactly(new Destination(SipTransport.TLS, IpAddress.ofIpv4(0xc0000201), 5061, "192.0.2.1"));
        assertThat(resolve(resolver, "sip:192.0.2.1;transport=tcp", secure).destinations())
                .extracting(Destination::transport)
                .containsExactly(SipTransport.TLS);
        assertThat(resolve(resolver, "sip:192.0.2.1", new TargetPolicy(true, List.of(SipTransport.UDP)))
                        .status())
                .isEqualTo(Resolution.Status.UNSUPPORTED);
    }

    @Test
    void takesTheFirstTransportAllowedWhereTheUsualOneIsNot() throws Exception {
        assertThat(resolve(
                                resolver("enabled: false"),
                                "sip:192.0.2.1",
                                new TargetPolicy(false, List.of(SipTransport.TCP, SipTransport.TLS)))
                        .destinations())
                .extracting(Destination::transport)
                .containsExactly(SipTransport.TCP);
    }

    @Test
    void asksNobodyAboutHostsOfTheConfiguration() throws Exception {
        LoopbackDns dns = dns();
        DestinationResolver resolver = resolver(dns, "hosts: {PBX.example.com: [192.0.2.5, '2001:db8::5']}");

        assertThat(found(resolver, "sip:bob@pbx.Example.com"))
                .containsExactly("UDP 192.0.2.5:5060", "UDP [2001:db8::5]:5060");
        assertThat(found(resolver, "sips:pbx.example.com")).startsWith("TLS 192.0.2.5:5061");
        assertThat(dns.asked).isEmpty();
    }

    // ---- the ways of RFC 3263

    @Test
    void asksForTheAddressAloneWhereThePortIsGiven() throws Exception {
        LoopbackDns dns = dns("a.example 60 A 192.0.2.1", "a.example 60 AAAA 2001:db8::1");
        DestinationResolver resolver = resolver(dns);

        assertThat(found(resolver, "sip:a.example:5099"))
                .containsExactly("UDP 192.0.2.1:5099", "UDP [2001:db8::1]:5099");
        assertThat(dns.asked).containsExactlyInAnyOrder("a.example A", "a.example AAAA");
    }

    @Test
    void prefersTheFamilyThatIsConfigured() throws Exception {
        LoopbackDns dns = dns("a.example 60 A 192.0.2.1", "a.example 60 AAAA 2001:db8::1");

        assertThat(found(resolver(dns, "families: ipv6-first"), "sip:a.example:1"))
                .containsExactly("UDP [2001:db8::1]:1", "UDP 192.0.2.1:1");
        assertThat(found(resolver(dns, "families: ipv6"), "sip:a.example:1")).containsExactly("UDP [2001:db8::1]:1");
        assertThat(found(resolver(dns, "families: ipv4"), "sip:a.example:1")).containsExactly("UDP 192.0.2.1:1");
    }

    @Test
    void followsPointersServicesAndAddresses() throws Exception {
        LoopbackDns dns = dns(
                "example.com 60 NAPTR 50 50 \"s\" \"SIPS+D2T\" \"\" _sips._tcp.example.com.",
                "example.com 60 NAPTR 90 50 \"s\" \"SIP+D2T\" \"\" _sip._tcp.example.com.",
                "example.com 60 NAPTR 100 50 \"s\" \"SIP+D2U\" \"\" _sip._udp.example.com.",
                "_sips._tcp.example.com 60 SRV 0 1 5061 one.example.com.",
                "_sips._tcp.example.com 60 SRV 1 1 5071 two.example.com.",
                "_sip._udp.example.com 60 SRV 0 1 5060 one.example.com.",
                "one.example.com 60 A 192.0.2.1",
                "two.example.com 60 AAAA 2001:db8::2");

        assertThat(found(resolver(dns), "sip:bob@example.com"))
                .as("records of a higher order must not be considered (RFC 3403)")
                .containsExactly("TLS 192.0.2.1:5061", "TLS [2001:db8::2]:5071");
        assertThat(resolve(resolver(dns), "sip:bob@example.com", ANY).destinations())
                .extracting(Destination::serverName)
                .containsOnly("example.com");
        assertThat(resolve(resolver(dns), "sip:example.com", new TargetPolicy(false, List.of(SipTransport.UDP)))
                        .destinations())
                .as("records of transports that are not allowed are passed over")
                .extracting(Destination::toString)
                .containsExactly("UDP 192.0.2.1:5060");
    }

    @Test
    void takesTheNextOrderWhereTheFirstLeadsNowhere() throws Exception {
        LoopbackDns dns = dns(
                "example.com 60 NAPTR 10 1 \"s\" \"SIP+D2T\" \"\" _sip._tcp.example.com.",
                "example.com 60 NAPTR 20 1 \"s\" \"SIP+D2U\" \"\" _sip._udp.example.com.",
                "_sip._udp.example.com 60 SRV 0 1 5060 one.example.com.",
                "one.example.com 60 A 192.0.2.1");

        assertThat(found(resolver(dns), "sip:example.com")).containsExactly("UDP 192.0.2.1:5060");
    }

    @Test
    void ordersPointersByPreferenceAndThenByOurs() throws Exception {
        LoopbackDns dns = dns(
                "example.com 60 NAPTR 10 2 \"s\" \"SIPS+D2T\" \"\" _sips._tcp.example.com.",
                "example.com 60 NAPTR 10 1 \"s\" \"SIP+D2T\" \"\" _sip._tcp.example.com.",
                "example.com 60 NAPTR 10 1 \"s\" \"sip+d2u\" \"\" _sip._udp.example.com.",
                "example.com 60 NAPTR 10 0 \"u\" \"E2U+sip\" \"!.*!sip:x@y!\" .",
                "example.com 60 NAPTR 10 3 \"a\" \"SIP+D2W\" \"\" web.example.com.",
                "_sips._tcp.example.com 60 SRV 0 1 5061 one.example.com.",
                "_sip._tcp.example.com 60 SRV 0 1 5060 one.example.com.",
                "_sip._udp.example.com 60 SRV 0 1 5060 one.example.com.",
                "web.example.com 60 A 192.0.2.2",
                "one.example.com 60 A 192.0.2.1");

        assertThat(found(resolver(dns), "sip:example.com"))
                .containsExactly("UDP 192.0.2.1:5060", "TCP 192.0.2.1:5060", "TLS 192.0.2.1:5061", "WS 192.0.2.2:80");
        assertThat(found(resolver(dns), "sips:example.com")).containsExactly("TLS 192.0.2.1:5061");
    }

    @Test
    void asksForServicesOfEachTransportWhereThereAreNoPointers() throws Exception {
        LoopbackDns dns = dns(
                "_sip._tcp.example.com 60 SRV 0 1 5060 one.example.com.",
                "_sip._udp.example.com 60 SRV 0 1 5080 one.example.com.",
                "one.example.com 60 A 192.0.2.1");
        DestinationResolver resolver = resolver(dns);

        assertThat(found(resolver, "sip:example.com")).containsExactly("UDP 192.0.2.1:5080", "TCP 192.0.2.1:5060");
        assertThat(dns.asked).contains("_sips._tcp.example.com SRV").noneMatch(question -> question.contains("_ws"));
        assertThat(found(resolver, "sip:example.com;transport=tcp")).containsExactly("TCP 192.0.2.1:5060");
    }

    @Test
    void takesTheHostItselfWhereThereAreNoServices() throws Exception {
        LoopbackDns dns = dns("example.com 60 A 192.0.2.1");
        DestinationResolver resolver = resolver(dns);

        assertThat(found(resolver, "sip:example.com")).containsExactly("UDP 192.0.2.1:5060");
        assertThat(found(resolver, "sips:example.com")).containsExactly("TLS 192.0.2.1:5061");
        assertThat(found(resolver, "sip:example.com;transport=tcp")).containsExactly("TCP 192.0.2.1:5060");
    }

    @Test
    void respectsThatADomainDeclaresItHasNoService() throws Exception {
        LoopbackDns dns = dns(
                "_sip._udp.example.com 60 SRV 0 0 0 .",
                "_sip._tcp.example.com 60 SRV 0 0 0 .",
                "_sips._tcp.example.com 60 SRV 0 0 0 .",
                "example.com 60 A 192.0.2.1");

        assertThat(status(resolver(dns), "sip:example.com")).isEqualTo(Resolution.Status.NO_DESTINATION);
    }

    @Test
    void saysThatThereIsNoSuchName() throws Exception {
        LoopbackDns dns = dns("example.com 60 SOA ns.example.com. h.example.com. 1 2 3 4 30");
        DestinationResolver resolver = resolver(dns);

        assertThat(status(resolver, "sip:none.example.com")).isEqualTo(Resolution.Status.NO_DESTINATION);
        assertThat(status(resolver, "sip:a_b!c.example.com")).isEqualTo(Resolution.Status.NO_DESTINATION);
        assertThat(status(resolver, "sip:" + "a".repeat(64) + ".example")).isEqualTo(Resolution.Status.NO_DESTINATION);
        assertThat(resolver.counts().get(DnsCounter.BAD_NAMES)).isEqualTo(2);
    }

    @Test
    void takesNoEscapeOfMasterFilesForACharacter() throws Exception {
        LoopbackDns dns = dns("evil.example 60 A 192.0.2.66");

        assertThat(status(resolver(dns), "sip:\\101.evil.example:5060")).isEqualTo(Resolution.Status.NO_DESTINATION);
        assertThat(dns.asked).isEmpty();
    }

    // ---- failures

    @Test
    void triesDestinationsThatFailedLatelyLast() throws Exception {
        LoopbackDns dns = dns("a.example 600 A 192.0.2.1", "a.example 600 A 192.0.2.2", "a.example 600 A 192.0.2.3");
        DestinationResolver resolver = resolver(dns, "down-for: 30s");
        List<Destination> all = resolve(resolver, "sip:a.example:5060", ANY).destinations();

        resolver.down().failed(all.get(0), DownList.Failure.TRANSPORT, 0, nowMs.get());
        resolver.down().failed(all.get(1), DownList.Failure.UNAVAILABLE, 0, nowMs.get());
        assertThat(resolve(resolver, "sip:a.example:5060", ANY).destinations())
                .containsExactly(all.get(2), all.get(0), all.get(1));

        resolver.down().answered(all.get(0));
        assertThat(resolve(resolver, "sip:a.example:5060", ANY).destinations())
                .containsExactly(all.get(0), all.get(2), all.get(1));

        nowMs.addAndGet(30_000);
        assertThat(resolve(resolver, "sip:a.example:5060", ANY).destinations()).isEqualTo(all);
        assertThat(resolver.down().size()).isZero();
    }

    @Test
    void asksTheNextServerWhereOneFails() throws Exception {
        LoopbackDns broken = dns();
        broken.on("a.example", LoopbackDns.code(Rcode.SERVFAIL));
        LoopbackDns good = dns("a.example 60 A 192.0.2.1");
        DestinationResolver resolver =
                resolver("servers: ['" + broken.endpoint() + "', '" + good.endpoint() + "']", "families: ipv4");

        assertThat(found(resolver, "sip:a.example:5060")).containsExactly("UDP 192.0.2.1:5060");
        assertThat(resolver.counts().get(DnsCounter.SERVER_ERRORS)).isEqualTo(1);
        assertThat(status(resolver, "sip:b.example:5060"))
                .as("the one that answered is asked first from now on")
                .isEqualTo(Resolution.Status.NO_DESTINATION);
        assertThat(broken.asked).containsExactly("a.example A");
    }

    @Test
    void failsAfterAllTriesWhereNoServerAnswers() throws Exception {
        LoopbackDns dns = dns();
        dns.on("a.example", LoopbackDns.silence());
        DestinationResolver resolver = resolver(dns, "timeout: 50ms", "tries: 3", "families: ipv4");

        assertThat(status(resolver, "sip:a.example:5060")).isEqualTo(Resolution.Status.FAILED);
        assertThat(resolver.counts().get(DnsCounter.TIMEOUTS)).isEqualTo(3);
        assertThat(status(resolver, "sip:a.example:5060")).isEqualTo(Resolution.Status.FAILED);
        assertThat(resolver.counts().get(DnsCounter.QUERIES))
                .as("remembered for 2 s")
                .isEqualTo(3);
        nowMs.addAndGet(2_000);
        assertThat(status(resolver, "sip:a.example:5060")).isEqualTo(Resolution.Status.FAILED);
        assertThat(resolver.counts().get(DnsCounter.QUERIES)).isEqualTo(6);
    }

    @Test
    void goesOnWithoutPointersWhereTheServerFailsAtThem() throws Exception {
        LoopbackDns dns = dns("example.com 60 A 192.0.2.1");
        dns.on(
                "example.com",
                (server, query) -> List.of(
                        query.getQuestion().getType() == org.xbill.DNS.Type.NAPTR
                                ? LoopbackDns.code(Rcode.NOTIMP)
                                        .apply(server, query)
                                        .getFirst()
                                : server.truth(query).toWire()));

        assertThat(found(resolver(dns), "sip:example.com")).containsExactly("UDP 192.0.2.1:5060");
    }

    @Test
    void reportsAtOnceThatNobodyListens() throws Exception {
        // connected to somebody else, so that it takes nothing of us, and nobody else gets the port
        DatagramSocket reserved = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        open.add(reserved);
        reserved.connect(InetAddress.getLoopbackAddress(), 9);
        String first = "servers: ['127.0.0.1:" + reserved.getLocalPort() + "']";
        DestinationResolver resolver = resolver(first, "timeout: 30s", "tries: 1", "families: ipv4");

        assertThat(status(resolver, "sip:a.example:5060")).isEqualTo(Resolution.Status.FAILED);
        assertThat(resolver.counts().get(DnsCounter.UNREACHABLE)).isEqualTo(1);
    }

    @Test
    void asksAgainOverTcpWhereTheAnswerIsTruncated() throws Exception {
        LoopbackDns dns = dns("a.example 60 A 192.0.2.1");
        dns.on("a.example", LoopbackDns.truncated());
        DestinationResolver resolver = resolver(dns, "families: ipv4");

        assertThat(found(resolver, "sip:a.example:5060")).containsExactly("UDP 192.0.2.1:5060");
        assertThat(dns.asked).containsExactly("a.example A", "tcp a.example A");
        assertThat(resolver.counts().get(DnsCounter.TRUNCATED)).isEqualTo(1);
        assertThat(resolver.counts().get(DnsCounter.TCP_QUERIES)).isEqualTo(1);
    }

    @Test
    void asksAgainWithoutEdnsWhereTheServerIsTooOldForIt() throws Exception {
        LoopbackDns dns = dns("a.example 60 A 192.0.2.1");
        dns.on(
                "a.example",
                (server, query) -> List.of(
                        query.getOPT() != null
                                ? LoopbackDns.code(Rcode.FORMERR)
                                        .apply(server, query)
                                        .getFirst()
                                : server.truth(query).toWire()));

        assertThat(found(resolver(dns, "families: ipv4"), "sip:a.example:5060")).containsExactly("UDP 192.0.2.1:5060");
    }

    // ---- lies

    @Test
    void waitsForTheTrueAnswerBehindForgedOnes() throws Exception {
        LoopbackDns dns = dns("a.example 60 A 192.0.2.1");
        dns.on("a.example", (server, query) -> {
            List<byte[]> datagrams = new ArrayList<>();
            Message forged = new Message(query.getHeader().getID() ^ 1);
            forged.getHeader().setFlag(org.xbill.DNS.Flags.QR);
            forged.addRecord(query.getQuestion(), Section.QUESTION);
            forged.addRecord(a(query.getQuestion().getName(), 0x66), Section.ANSWER);
            datagrams.add(forged.toWire()); // another identifier
            Message other = new Message(query.getHeader().getID());
            other.getHeader().setFlag(org.xbill.DNS.Flags.QR);
            Name name = Name.fromConstantString("b.example.");
            other.addRecord(org.xbill.DNS.Record.newRecord(name, 1, DClass.IN), Section.QUESTION);
            other.addRecord(a(name, 0x66), Section.ANSWER);
            datagrams.add(other.toWire()); // another question
            datagrams.add(query.toWire()); // no answer
            datagrams.add(new byte[] {1, 2, 3});
            datagrams.add(server.truth(query).toWire());
            return datagrams;
        });
        DestinationResolver resolver = resolver(dns, "families: ipv4");

        assertThat(found(resolver, "sip:a.example:5060")).containsExactly("UDP 192.0.2.1:5060");
        assertThat(resolver.counts().get(DnsCounter.MISMATCHED)).isEqualTo(4);
    }

    private static ARecord a(Name name, int last) {
        return new ARecord(
                name, DClass.IN, 60, IpAddress.ofIpv4(0xc0000200 | last).toInetAddress());
    }

    @Test
    void takesOnlyRecordsOfTheNameThatWasAskedAbout() throws Exception {
        LoopbackDns dns = dns();
        dns.on("a.example", (server, query) -> {
            Message answer = server.empty(query);
            answer.addRecord(a(Name.fromConstantString("victim.example."), 0x66), Section.ANSWER);
            answer.addRecord(a(query.getQuestion().getName(), 1), Section.ANSWER);
            answer.addRecord(a(Name.fromConstantString("victim.example."), 0x66), Section.ADDITIONAL);
            return List.of(answer.toWire());
        });
        DestinationResolver resolver = resolver(dns, "families: ipv4");

        assertThat(found(resolver, "sip:a.example:5060")).containsExactly("UDP 192.0.2.1:5060");
        assertThat(status(resolver, "sip:victim.example:5060")).isEqualTo(Resolution.Status.NO_DESTINATION);
    }

    @Test
    void givesUpAliasesThatLeadInACircle() throws Exception {
        LoopbackDns dns = dns("a.example 60 CNAME b.example.", "b.example 60 CNAME a.example.");
        DestinationResolver resolver = resolver(dns, "families: ipv4");

        assertThat(status(resolver, "sip:a.example:5060")).isEqualTo(Resolution.Status.FAILED);
        assertThat(resolver.counts().get(DnsCounter.ALIAS_LOOPS)).isEqualTo(1);
    }

    @Test
    void followsAliasesThatTheServerDoesNotFollow() throws Exception {
        LoopbackDns dns = dns("end.example 60 A 192.0.2.1");
        for (int i = 0; i < 5; i++) {
            String next = i == 4 ? "end.example." : "a" + (i + 1) + ".example.";
            dns.on("a" + i + ".example", alias(next));
        }
        dns.on("c.example", alias("d.example.")).on("d.example", alias("c.example."));
        DestinationResolver resolver = resolver(dns, "families: ipv4");

        assertThat(found(resolver, "sip:a0.example:5060")).containsExactly("UDP 192.0.2.1:5060");
        assertThat(status(resolver, "sip:c.example:5060")).isEqualTo(Resolution.Status.FAILED);
        assertThat(resolver.counts().get(DnsCounter.ALIAS_LOOPS)).isEqualTo(1);
    }

    private static LoopbackDns.Answering alias(String target) {
        return (server, query) -> {
            Message answer = server.empty(query);
            answer.addRecord(
                    new CNAMERecord(query.getQuestion().getName(), DClass.IN, 60, Name.fromConstantString(target)),
                    Section.ANSWER);
            return List.of(answer.toWire());
        };
    }

    @Test
    void boundsWhatADomainWithAThousandServicesCosts() throws Exception {
        List<String> zone = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            zone.add("_sip._udp.example.com 60 SRV " + (999 - i) + " 1 5060 t" + i + ".example.com.");
            zone.add("t" + i + ".example.com 60 A 192.0.2." + i % 250);
        }
        LoopbackDns dns = dns(zone.toArray(String[]::new));
        DestinationResolver resolver = resolver(dns, "max-destinations: 10");

        List<String> found = found(resolver, "sip:example.com;transport=udp");

        assertThat(found).hasSize(10).startsWith("UDP 192.0.2.249:5060", "UDP 192.0.2.248:5060");
        assertThat(resolver.counts().get(DnsCounter.RECORDS_DROPPED)).isEqualTo(936);
        assertThat(dns.asked)
                .as("over UDP, over TCP, and two families of ten targets")
                .hasSize(22);
    }

    @Test
    void boundsTheQuestionsOfOneUri() throws Exception {
        List<String> zone = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            zone.add("example.com 60 NAPTR 1 " + i + " \"s\" \"SIP+D2U\" \"\" _s" + i + "._udp.example.com.");
            for (int j = 0; j < 16; j++) {
                zone.add("_s" + i + "._udp.example.com 60 SRV 1 1 5060 t" + i + "x" + j + ".example.com.");
            }
        }
        LoopbackDns dns = dns(zone.toArray(String[]::new));
        DestinationResolver resolver = resolver(dns);

        assertThat(status(resolver, "sip:example.com")).isEqualTo(Resolution.Status.FAILED);
        assertThat(resolver.counts().get(DnsCounter.SEARCHES_CUT)).isEqualTo(1);
        assertThat(dns.asked.size()).isLessThanOrEqualTo(96 + 32);
    }

    // ---- memory

    @Test
    void remembersAnswersForTheirTime() throws Exception {
        LoopbackDns dns = dns("a.example 60 A 192.0.2.1");
        DestinationResolver resolver = resolver(dns, "families: ipv4");

        assertThat(resolver.resolveNow(SipUri.parse("sip:a.example:5060"), ANY)).isNull();
        assertThat(found(resolver, "sip:a.example:5060")).hasSize(1);
        nowMs.addAndGet(59_999);
        assertThat(resolver.resolveNow(SipUri.parse("sip:a.example:5060"), ANY)).isNotNull();
        assertThat(dns.asked).hasSize(1);
        nowMs.addAndGet(1);
        assertThat(resolver.resolveNow(SipUri.parse("sip:a.example:5060"), ANY)).isNull();
        assertThat(found(resolver, "sip:a.example:5060")).hasSize(1);
        assertThat(dns.asked).hasSize(2);
        assertThat(resolver.counts().get(DnsCounter.CACHE_HITS)).isPositive();
    }

    @Test
    void keepsTimesWithinTheirBounds() throws Exception {
        LoopbackDns dns = dns("short.example 0 A 192.0.2.1", "long.example 999999 A 192.0.2.1");
        DestinationResolver resolver = resolver(dns, "families: ipv4", "cache: {min-ttl: 5s, max-ttl: 100s}");
        found(resolver, "sip:short.example:5060");
        found(resolver, "sip:long.example:5060");

        nowMs.addAndGet(4_999);
        assertThat(resolver.resolveNow(SipUri.parse("sip:short.example:5060"), ANY))
                .isNotNull();
        nowMs.addAndGet(1);
        assertThat(resolver.resolveNow(SipUri.parse("sip:short.example:5060"), ANY))
                .isNull();
        nowMs.addAndGet(94_999);
        assertThat(resolver.resolveNow(SipUri.parse("sip:long.example:5060"), ANY))
                .isNotNull();
        nowMs.addAndGet(1);
        assertThat(resolver.resolveNow(SipUri.parse("sip:long.example:5060"), ANY))
                .isNull();
    }

    @Test
    void remembersThatANameDoesNotExistAsLongAsItsZoneSays() throws Exception {
        LoopbackDns dns = dns("example 3600 SOA ns.example. h.example. 1 2 3 4 30");
        DestinationResolver resolver = resolver(dns, "families: ipv4");

        assertThat(status(resolver, "sip:none.example:5060")).isEqualTo(Resolution.Status.NO_DESTINATION);
        nowMs.addAndGet(29_999);
        assertThat(resolver.resolveNow(SipUri.parse("sip:none.example:5060"), ANY))
                .isNotNull();
        nowMs.addAndGet(1);
        assertThat(resolver.resolveNow(SipUri.parse("sip:none.example:5060"), ANY))
                .isNull();
    }

    @Test
    void servesAnOutdatedAnswerWhereNoServerAnswersAndThatIsAllowed() throws Exception {
        LoopbackDns dns = dns("a.example 60 A 192.0.2.1");
        DestinationResolver resolver = resolver(dns, "families: ipv4", "cache: {stale: 1h}");
        found(resolver, "sip:a.example:5060");
        dns.on("a.example", LoopbackDns.silence());
        resolver.configure(config(
                "servers: ['" + dns.endpoint() + "']",
                "families: ipv4",
                "timeout: 50ms",
                "tries: 1",
                "cache: {stale: 1h}"));

        nowMs.addAndGet(61_000);
        assertThat(found(resolver, "sip:a.example:5060")).hasSize(1);
        assertThat(resolver.counts().get(DnsCounter.STALE)).isEqualTo(1);
        assertThat(found(resolver, "sip:a.example:5060"))
                .as("for 30 s without asking")
                .hasSize(1);
        assertThat(resolver.counts().get(DnsCounter.STALE)).isEqualTo(1);
        nowMs.addAndGet(3_600_000);
        assertThat(status(resolver, "sip:a.example:5060")).isEqualTo(Resolution.Status.FAILED);
    }

    @Test
    void holdsNoMoreAnswersThanItsLimit() throws Exception {
        List<String> zone = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            zone.add("a" + i + ".example 60 A 192.0.2.1");
        }
        DestinationResolver resolver =
                resolver(dns(zone.toArray(String[]::new)), "families: ipv4", "cache: {entries: 16}");
        for (int i = 0; i < 40; i++) {
            found(resolver, "sip:a" + i + ".example:5060");
        }
        assertThat(resolver.cachedAnswers()).isEqualTo(16);
        assertThat(resolver.counts().get(DnsCounter.CACHE_EVICTIONS)).isEqualTo(24);
    }

    @Test
    void asksOnceForAllWhoAskAtTheSameTime() throws Exception {
        LoopbackDns dns = dns("a.example 60 A 192.0.2.1");
        dns.hold("a.example");
        DestinationResolver resolver = resolver(dns, "families: ipv4", "timeout: 20s");
        List<CompletableFuture<Resolution>> waiting = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            waiting.add(
                    resolver.resolve(SipUri.parse("sip:a.example:5060"), ANY).toCompletableFuture());
        }
        assertThat(resolver.openQuestions()).isEqualTo(1);
        dns.release("a.example");
        for (CompletableFuture<Resolution> each : waiting) {
            assertThat(each.get(20, TimeUnit.SECONDS).destinations()).hasSize(1);
        }
        assertThat(dns.asked).hasSize(1);
        assertThat(resolver.counts().get(DnsCounter.COALESCED)).isEqualTo(49);
    }

    @Test
    void refusesQuestionsBeyondItsLimit() throws Exception {
        LoopbackDns dns = dns("a.example 60 A 192.0.2.1", "b.example 60 A 192.0.2.1");
        dns.hold("a.example");
        DestinationResolver resolver = resolver(dns, "families: ipv4", "timeout: 20s", "max-open-questions: 1");
        CompletableFuture<Resolution> first =
                resolver.resolve(SipUri.parse("sip:a.example:5060"), ANY).toCompletableFuture();

        assertThat(status(resolver, "sip:b.example:5060")).isEqualTo(Resolution.Status.REFUSED);
        assertThat(resolver.counts().get(DnsCounter.REFUSED)).isEqualTo(1);
        dns.release("a.example");
        assertThat(first.get(20, TimeUnit.SECONDS).destinations()).hasSize(1);
        assertThat(found(resolver, "sip:b.example:5060"))
                .as("what was refused is not remembered")
                .hasSize(1);
    }

    @Test
    void endsOpenQuestionsWhenItIsClosed() throws Exception {
        LoopbackDns dns = dns();
        dns.on("a.example", LoopbackDns.silence());
        DestinationResolver resolver = resolver(dns, "families: ipv4", "timeout: 30s", "tries: 10");
        CompletableFuture<Resolution> first =
                resolver.resolve(SipUri.parse("sip:a.example:5060"), ANY).toCompletableFuture();
        resolver.close();

        assertThat(first.get(20, TimeUnit.SECONDS).status()).isEqualTo(Resolution.Status.FAILED);
        assertThat(status(resolver, "sip:b.example:5060")).isEqualTo(Resolution.Status.FAILED);
    }

    @Test
    void forgetsAnswersOfServersThatAreReplaced() throws Exception {
        LoopbackDns before = dns("a.example 600 A 192.0.2.1");
        LoopbackDns after = dns("a.example 600 A 192.0.2.2");
        DestinationResolver resolver = resolver(before, "families: ipv4");
        assertThat(found(resolver, "sip:a.example:5060")).containsExactly("UDP 192.0.2.1:5060");

        resolver.configure(config("servers: ['" + after.endpoint() + "']", "families: ipv4"));

        assertThat(found(resolver, "sip:a.example:5060")).containsExactly("UDP 192.0.2.2:5060");
    }

    @Test
    void equalServersTakeTurns() throws Exception {
        LoopbackDns dns = dns(
                "_sip._udp.example.com 600 SRV 0 10 5060 one.example.com.",
                "_sip._udp.example.com 600 SRV 0 10 5060 two.example.com.",
                "one.example.com 600 A 192.0.2.1",
                "two.example.com 600 A 192.0.2.2");
        DestinationResolver resolver = resolver(dns);
        Set<String> first = new TreeSet<>();
        for (int i = 0; i < 40; i++) {
            first.add(found(resolver, "sip:example.com;transport=udp").getFirst());
        }
        assertThat(first).containsExactly("UDP 192.0.2.1:5060", "UDP 192.0.2.2:5060");
    }

    // ---- ENUM

    @Test
    void findsUrisOfTelephoneNumbers() throws Exception {
        LoopbackDns dns = dns(
                "3.8.0.0.6.9.2.3.6.1.4.4.e164.example 60 NAPTR 100 20 \"u\" \"E2U+sip\" \"!^\\\\+44(.*)$!sip:\\\\1@b.example!\" .",
                "3.8.0.0.6.9.2.3.6.1.4.4.e164.example 60 NAPTR 100 10 \"u\" \"E2U+sip\" \"!^.*$!sip:info@a.example!\" .",
                "3.8.0.0.6.9.2.3.6.1.4.4.e164.example 60 NAPTR 1 1 \"u\" \"E2U+email:mailto\" \"!^.*$!mailto:x@a.example!\" .",
                "3.8.0.0.6.9.2.3.6.1.4.4.e164.example 60 NAPTR 101 1 \"u\" \"E2U+sip\" \"!^.*$!http://a.example/!\" .");
        DestinationResolver resolver = resolver(dns, "enum: {enabled: true, suffix: e164.example}");

        List<SipUri> uris = resolver.numbers()
                .resolve("+44-1632-960083")
                .toCompletableFuture()
                .get();

        assertThat(uris).extracting(SipUri::toString).containsExactly("sip:info@a.example", "sip:1632960083@b.example");
        assertThat(resolver.counts().get(DnsCounter.ENUM_RULES_IGNORED)).isEqualTo(2);
        assertThat(resolver.numbers()
                        .resolve("01632960083")
                        .toCompletableFuture()
                        .get())
                .isEmpty();
        assertThat(dns.asked).hasSize(1);
    }

    @Test
    void asksForNoNumberUnlessConfigured() throws Exception {
        LoopbackDns dns = dns();

        assertThat(resolver(dns)
                        .numbers()
                        .resolve("+441632960083")
                        .toCompletableFuture()
                        .get())
                .isEmpty();
        assertThat(dns.asked).isEmpty();
    }
}
