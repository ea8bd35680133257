package io.offhook.audio;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was played.
 *
 * @param marks where audio is missing, by channel and time
 * @param marksDropped further marks, which are not kept
 * @param samplesDropped samples that could not be placed, as the clock of the capture was set back by more than 2 s
 * @param streams all audio streams of the call; the notes of those that were played now have what of them was not
 * @param defect the first exception that was contained, in which case audio may be missing; null if there was none
 */
public record AudioReport(
        List<AudioMark> marks,
        long marksDropped,
        long samplesDropped,
        List<HeardStream> streams,
        @Nullable RuntimeException defect) {}
