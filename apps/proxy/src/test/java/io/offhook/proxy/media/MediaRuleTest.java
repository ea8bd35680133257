package io.offhook.proxy.media;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.offhook.config.ConfigException;
import io.offhook.config.ConfigFault;
import io.offhook.config.ConfigReader;
import io.offhook.proxy.ProxyConfig;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which calls are relayed, and by which profile. */
class MediaRuleTest {
    private static MediaConfig read(String yaml) {
        return ConfigReader.of(MediaConfig.schema()).read(yaml, "proxy.yaml");
    }

    @Test
    void relaysAllCallsWithoutRules() {
        MediaConfig config = read("engines: [{address: '127.0.0.1:2223'}]\n");
        assertThat(config.profile("", "", false)).isSameAs(config.profile());
    }

    @Test
    void takesTheProfileOfTheFirstRuleThatIsForACall() {
        MediaConfig config = read("""
                calls:
                  - {from-trunks: [carrier], profile: inbound}
                  - {to-groups: [carrier, other], behind-nat: true, profile: outbound}
                  - {behind-nat: true}
                profiles:
                  inbound: {caller-interface: outside, callee-interface: inside}
                  outbound: {caller-interface: inside, callee-interface: outside}
                """);
        assertThat(config.profile("carrier", "", false))
                .isSameAs(config.profiles().get("inbound"));
        assertThat(config.profile("carrier", "other", true))
                .isSameAs(config.profiles().get("inbound"));
        assertThat(config.profile("", "other", true)).isSameAs(config.profiles().get("outbound"));
        assertThat(config.profile("", "", true)).isSameAs(config.profile());
        assertThat(config.profile("", "carrier", false)).isNull();
        assertThat(config.profile("another", "", false)).isNull();
    }

    @Test
    void reportsNamesThatNothingHas() {
        ConfigException e = catchThrowableOfType(
                ConfigException.class, () -> ProxyConfig.reader().read("""
                listeners: [{name: a, address: 127.0.0.1}]
                trunks: {carrier: {sources: [192.0.2.1]}}
                media:
                  calls: [{from-trunks: [carier], to-groups: [carrier], profile: x}]
                """, "p.yaml"));
        assertThat(e.faults().stream().map(ConfigFault::toString))
                .isEqualTo(List.of(
                        "p.yaml:4:26: media.calls[0].from-trunks[0]: there is no trunk carier; there are carrier",
                        "p.yaml:4:47: media.calls[0].to-groups[0]: there is no group carrier; there are none",
                        "p.yaml:4:66: media.calls[0].profile: there is no profile x; there are none"));
    }
}
