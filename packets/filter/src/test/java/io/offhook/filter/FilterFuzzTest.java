package io.offhook.filter;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FilterFuzzTest {
    private static final String[] WORDS =
            (" ( ) ! [ ] : = != < > <= >= + - * / % & | ^ << >> && || and or not 1 80 0x10 08 1.2 1.2.3.4"
                            + " 10.0.0.0/8 ::1 fe80::/10 1:2:3:4:5:6 1:2: $5 \\tcp ip ip6 tcp udp port portrange 1-2 host net mask src dst"
                            + " proto protochain vlan mpls pppoes geneve len less greater byte broadcast multicast type subtype dir llc"
                            + " gateway foo ether wlan radio lane vpi sio inbound decnet iso isis l1 http action reason ifname on")
                    .split(" ", -1);

    @FuzzTest
    void compilesOrRejectsAnything(FuzzedDataProvider data) {
        int linkType = data.consumeInt(-5, 300);
        compileOrReject(data.consumeRemainingAsString(), linkType);
    }

    @Test
    void compilesOrRejectsWordsInAnyOrder() {
        SplittableRandom random = new SplittableRandom(99);
        int compiled = 0;
        for (int i = 0; i < 20_000; i++) {
            StringBuilder expression = new StringBuilder();
            for (int words = random.nextInt(1, 9); words > 0; words--) {
                expression.append(WORDS[random.nextInt(WORDS.length)]).append(random.nextInt(4) == 0 ? "" : " ");
            }
            compiled +=
                    compileOrReject(expression.toString(), random.nextInt(4) == 0 ? random.nextInt(300) : 1) ? 1 : 0;
        }
        assertThat(compiled).isBetween(200, 10_000);
    }

    private static boolean compileOrReject(String expression, int linkType) {
        boolean isCompiled = true;
        try {
            FilterCompiler.compile(expression, linkType, 100);
        } catch (FilterException e) {
            isCompiled = false;
            assertThat(e.reason()).isNotBlank();
            assertThat(e.offset()).isBetween(-1, expression.length());
        }
        return isCompiled;
    }
}
