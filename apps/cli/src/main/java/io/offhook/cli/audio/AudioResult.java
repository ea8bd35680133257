package io.offhook.cli.audio;

import io.offhook.audio.AudioReport;
import io.offhook.audio.CallAudio;
import io.offhook.cli.ladder.CallCommand;

/** What was written, and of what. */
record AudioResult(CallCommand.Found found, CallAudio audio, AudioReport report, String file) {}
