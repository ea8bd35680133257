package io.offhook.proxy.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.Endpoint;
import io.offhook.packet.IpAddress;
import io.offhook.sip.SipUri;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class OwnDomainsTest {
    private static final OwnDomains DOMAINS = new OwnDomains(
            List.of(
                    DomainName.parse("example.org"),
                    DomainName.parse("*.branch.example.org"),
                    DomainName.parse("192.0.2.7:5080")),
            List.of(
                    Endpoint.of(Objects.requireNonNull(IpAddress.parse("127.0.0.1")), 5070),
                    Endpoint.of(Objects.requireNonNull(IpAddress.parse("2001:db8::1")), 5060)));

    @Test
    void aUriIsOursByDomainOrByTheAddressAndPortOfAListener() {
        assertThat(List.of(
                        "sip:a@EXAMPLE.org:7",
                        "sip:a@x.branch.example.org",
                        "sip:192.0.2.7:5080",
                        "sip:127.0.0.1:5070"))
                .allMatch(uri -> DOMAINS.contains(SipUri.parse(uri)));
        assertThat(List.of("sip:a@example.com", "sip:192.0.2.7", "sip:127.0.0.1", "tel:127.0.0.1:5070"))
                .noneMatch(uri -> DOMAINS.contains(SipUri.parse(uri)));
    }

    @Test
    void anAddressOfRecordHasNoPortAndIsOursAtAnyOfThem() {
        assertThat(List.of("example.org", "x.branch.example.org", "192.0.2.7", "127.0.0.1", "[2001:DB8::1]"))
                .allMatch(DOMAINS::containsHost);
        assertThat(List.of("example.com", "branch.example.org", "127.0.0.2", "192.0.2.8"))
                .noneMatch(DOMAINS::containsHost);
    }
}
