package io.offhook.packet;

import static org.assertj.core.api.Assertions.assertThat;

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
        "296, linktype-296",
        "4, linktype-4",
        "65535, linktype-65535",
        "-1, linktype--1"
    })
    void namesLinkTypesAsCapinfosDoes(int linkType, String name) {
        assertThat(LinkType.name(linkType)).isEqualTo(name);
    }
}
