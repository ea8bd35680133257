package io.offhook.packet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LinkTypeTest {
    @ParameterizedTest
    @CsvSource({
        "0, null",
        "1, ether",
        "9, ppp",
        "50, ppp",
        "51, pppoes",
        "101, rawip",
        "104, chdlc",
        "105, ieee-802-11",
        "107, frelay",
        "108, loop",
        "109, enc",
        "112, chdlc",
        "113, linux-sll",
        "166, ppp-pppd",
        "127, ieee-802-11-radiotap",
        "149, user2",
        "228, rawip4",
        "229, rawip6",
        "239, nflog",
        "276, linux-sll2",
        "295, usb-20-high",
        "15, slip-bsdos",
        "205, c-hdlc-with-dir",
        "219, mpls",
        "296, auerswald-log",
        "301, dect-nr",
        "302, linktype-302",
        "4, linktype-4",
        "65535, linktype-65535",
        "-1, linktype--1"
    })
    void namesLinkTypesAsCapinfosDoesOrTheRegistry(int linkType, String name) {
        assertThat(LinkType.name(linkType)).isEqualTo(name);
    }

    /** Of the registry's numbers above those of old systems, and up to its last, none is missing but what is reserved. */
    @Test
    void namesEveryLinkTypeOfTheRegistry() {
        List<Integer> nameless = IntStream.rangeClosed(100, 301)
                .filter(linkType -> LinkType.name(linkType).startsWith("linktype-"))
                .boxed()
                .toList();
        assertThat(nameless).containsExactly(102, 103, 110, 111, 115, 116, 120, 124, 125, 126, 145, 146, 208, 217, 218);
        for (int linkType = 0; linkType <= 301; linkType++) {
            String name = LinkType.name(linkType);
            if (!name.startsWith("linktype-")) {
                assertThat(LinkType.name(LinkType.named(name))).isEqualTo(name);
            }
        }
    }
}
