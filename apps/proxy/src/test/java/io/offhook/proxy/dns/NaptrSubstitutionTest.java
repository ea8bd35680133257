package io.offhook.proxy.dns;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NaptrSubstitutionTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "!^.*$!sip:info@example.com! sip:info@example.com",
                "!^\\+44(.*)$!sip:\\1@example.com! sip:1632960083@example.com",
                "/^\\+(..)(.*)$/sip:\\2.\\1@example.com/ sip:1632960083.44@example.com",
                "!^([+0-9]{3})[[:digit:]]+$!sip:\\1@x! sip:+44@x",
                "!^(.*)$!sip:\\1\\!@x! sip:+441632960083!@x",
                "!^(a)?.*$!sip:x\\1@y! sip:x@y",
                "!^\\+[4]*.*$!SIP:X@Y!i SIP:X@Y",
            })
    void rewritesTheNumber(String regexp, String result) {
        assertThat(NaptrSubstitution.apply(regexp, "+441632960083")).isEqualTo(result);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "!^\\+49.*$!sip:x@y!",
                "!^.*$!sip:x@y",
                "!^(.*$!sip:x@y!",
                "!^.*$!sip:x@y!g",
                "!(?=.)!sip:x@y!",
                "!^.*+$!sip:x@y!",
                "!\\d+!sip:x@y!",
                "!^.*$!sip:<x>@y!",
                "a^.*$asip:x@ya",
                "!",
                "!!!!",
            })
    void leavesOutWhatItDoesNotUnderstand(String regexp) {
        assertThat(NaptrSubstitution.apply(regexp, "+441632960083")).isEmpty();
    }

    @Test
    void leavesOutControlCharactersAndWhatIsTooLong() {
        assertThat(NaptrSubstitution.apply("!^.*$!sip:x@y\r\nVia: z!", "+1")).isEmpty();
        assertThat(NaptrSubstitution.apply("!^.*$!sip:" + "x".repeat(600) + "!", "+1"))
                .isEmpty();
        assertThat(NaptrSubstitution.apply("!^(.*)$!" + "\\1".repeat(60) + "!", "+441632960083"))
                .isEmpty();
    }

    @Test
    void givesUpExpressionsThatBacktrackForLong() {
        String number = "+" + "1".repeat(24);

        assertThat(NaptrSubstitution.apply("!^(([0-9]*)*)*x$!sip:x@y!", number)).isEmpty();
        assertThat(NaptrSubstitution.apply("!^.(1|11|111)*(1|11)*(1|11)*x$!sip:x@y!", number))
                .isEmpty();
        assertThat(NaptrSubstitution.apply("!^" + "(".repeat(200) + "1*" + ")*".repeat(200) + "$!sip:x@y!", number))
                .isEmpty();
    }
}
