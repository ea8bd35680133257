package io.offhook.pcap.file;

import io.offhook.pcap.PcapNgBlock;
import java.io.File;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Turns the options of several files' section headers into those of the merged section. Comments on the first section
 * of each file are kept as separate comments. Hardware, operating system and application are kept if all files agree;
 * otherwise they become comments that name the file. Options of later sections come too late for the header and become
 * comments on the next interface that those sections describe. If there are several files, each interface has a comment
 * that names its file.
 */
final class PcapNgSectionNotes {
    private static final int LAST_TEXT = 4;
    /**
     * The most bytes of text in the header, and of text waiting for an interface of a file; anything beyond is left
     * out.
     */
    private static final int MOST_BYTES = 4 << 20;

    private static final String[] MEANINGS = {"", "", "hardware", "operating system", "application"};
    private static final String APPLICATION = "Offhook";

    private final List<RecordCursor> cursors;
    private final ByteOrder order;
    private final CopyRules rules;
    private final PcapNgOptionsView view = new PcapNgOptionsView();
    private final PcapNgOptions none;
    /** The number of sections of each file that have begun. */
    private final int[] sections;

    private final List<List<String>> pending = new ArrayList<>();
    private final long[] pendingBytes;
    private final PcapNgOptions ofFile;
    private long ofFileBytes;
    private long leftOut;

    /** @param cursors at their first records, which are section headers in pcapng files */
    PcapNgSectionNotes(List<RecordCursor> cursors, ByteOrder order, CopyRules rules) {
        this.cursors = cursors;
        this.order = order;
        this.rules = rules;
        pendingBytes = new long[cursors.size()];
        none = new PcapNgOptions(order);
        sections = new int[cursors.size()];
        cursors.forEach(_ -> pending.add(new ArrayList<>()));
        ofFile = new PcapNgOptions(order);
        List<TreeMap<Integer, String>> texts = new ArrayList<>();
        for (RecordCursor cursor : cursors) {
            TreeMap<Integer, String> of = new TreeMap<>();
            if (cursor.isPcapNg()) {
                cursor.block().options(view);
                while (view.next()) {
                    if (!isKept()) {
                        leftOut++;
                    } else if (view.code() == PcapNgOptionsView.COMMENT) {
                        comment(view.text());
                    } else {
                        of.put(view.code(), view.text());
                    }
                }
            }
            texts.add(of);
        }
        boolean isSame = texts.stream().allMatch(texts.getFirst()::equals)
                && !texts.getFirst().isEmpty();
        if (!isSame) {
            for (int i = 0; i < texts.size(); i++) {
                String name = nameOf(i);
                texts.get(i).forEach((code, text) -> comment(name + ": " + MEANINGS[code] + ": " + text));
            }
            ofFile.text(LAST_TEXT, APPLICATION);
        } else {
            texts.getFirst().forEach(ofFile::text);
        }
    }

    /** Returns whether the current option is kept: it is text, and the rules keep it. */
    private boolean isKept() {
        return view.code() <= LAST_TEXT && rules.keepsOption(PcapNgBlock.SECTION_HEADER, view.code());
    }

    private void comment(String text) {
        ofFileBytes += text.length();
        if (ofFileBytes <= MOST_BYTES) {
            ofFile.comment(text);
        } else {
            leftOut++;
        }
    }

    private String nameOf(int rank) {
        String path = cursors.get(rank).input().describe().path();
        int separator = Math.max(path.lastIndexOf('/'), path.lastIndexOf(File.separatorChar));
        return path.equals("-") ? "standard input" : path.substring(separator + 1);
    }

    /** Returns the options of the merged section header. */
    PcapNgOptions ofFile() {
        return ofFile;
    }

    /** Returns an empty list of options in the section's byte order. */
    PcapNgOptions none() {
        return none;
    }

    /** Records that a section of a file begins; the first section of each file is in the merged header already. */
    void section(int rank, PcapNgBlockView header) {
        sections[rank]++;
        if (sections[rank] == 1) {
            return;
        }
        String section = "section " + sections[rank] + ": ";
        header.options(view);
        while (view.next()) {
            if (!isKept() || pendingBytes[rank] > MOST_BYTES) {
                leftOut++;
            } else {
                pendingBytes[rank] += view.length();
                String meaning = view.code() == PcapNgOptionsView.COMMENT ? "" : MEANINGS[view.code()] + ": ";
                pending.get(rank).add(section + meaning + view.text());
            }
        }
    }

    /** Returns the options to add to the next interface of a file, and forgets them. */
    PcapNgOptions ofInterface(int rank) {
        PcapNgOptions options = new PcapNgOptions(order);
        if (cursors.size() > 1) {
            options.comment("from " + nameOf(rank));
        }
        pending.get(rank).forEach(options::comment);
        pending.get(rank).clear();
        pendingBytes[rank] = 0;
        return options;
    }

    /** Returns the options of section headers that could not be kept. */
    long leftOut() {
        return leftOut;
    }
}
