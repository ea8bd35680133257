package io.offhook.research.language;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.offhook.research.CompilerOffsets;
import io.offhook.research.NativeCode;
import io.offhook.research.Rounds;
import io.offhook.research.Rounds.Technique;
import java.math.BigInteger;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LanguageTest {
    private static final NativeCode CODE = new NativeCode("language");

    static List<Technique> techniques() {
        return LanguageTechniques.ALL;
    }

    @ParameterizedTest
    @MethodSource("techniques")
    void computesWhatJavaObjectsDo(Technique technique) {
        assumeTrue(!technique.usesPeers() || CODE.missing() == null, () -> "not compared: " + CODE.missing());
        Technique objects = LanguageTechniques.ALL.stream()
                .filter(t -> t.name().equals("Java objects, kept"))
                .findFirst()
                .orElseThrow();
        assertThat(Rounds.checksum(technique, 2)).isEqualTo(Rounds.checksum(objects, 2));
    }

    @Test
    void multipliesFieldsAsUnsigned() {
        long[] draws = Draws.array();
        SplittableRandom again = new SplittableRandom(0x0ff_400c);
        BigInteger product = BigInteger.ONE;
        for (int bits : new int[] {64, 32, 32, 16, 8}) {
            BigInteger draw = new BigInteger(Long.toUnsignedString(again.nextLong()));
            product = product.multiply(draw.mod(BigInteger.TWO.pow(bits)));
        }
        JavaPacket packet = new JavaPacket();
        packet.set(draws, 0);
        assertThat(packet.product).isEqualTo(product.longValue());
    }

    @Test
    void setsOtherValuesInEachRound() {
        Technique objects = LanguageTechniques.ALL.get(1);
        assertThat(Rounds.checksum(objects, 1)).isNotEqualTo(Rounds.checksum(objects, 2));
    }

    @Test
    void hasTheLayoutOfTheCompiler() {
        new CompilerOffsets(CODE).hold(NativePackets.LAYOUT);
    }
}
