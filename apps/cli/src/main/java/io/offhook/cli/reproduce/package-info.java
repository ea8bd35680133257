/**
 * {@code offhook reproduce}: a call of a capture becomes a sipp scenario that plays it again. {@link
 * io.offhook.cli.reproduce.ReproduceCommand} finds the call; {@link io.offhook.cli.reproduce.CallLeg} is the hop of it that is
 * played, {@link io.offhook.cli.reproduce.ScenarioMaker} makes a script of each side from its messages, which are data that
 * {@link io.offhook.cli.reproduce.SippText} escapes, and {@link io.offhook.cli.reproduce.Reproduction} writes the folder. {@link
 * io.offhook.cli.reproduce.Playback} runs it and captures what is sent, {@link io.offhook.cli.reproduce.Comparison} holds that
 * against the original, and {@link io.offhook.cli.reproduce.Minimizer} removes parts while a problem stays.
 */
@NullMarked
package io.offhook.cli.reproduce;

import org.jspecify.annotations.NullMarked;
