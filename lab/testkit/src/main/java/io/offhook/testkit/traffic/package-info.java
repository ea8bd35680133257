/**
 * Traffic with known truth.
 *
 * <p>{@link io.offhook.testkit.traffic.Traffic} takes calls ({@link io.offhook.testkit.traffic.CallPlan}) and other traffic, writes each
 * packet through a {@link io.offhook.testkit.traffic.Tap} into the {@link io.offhook.testkit.traffic.Recorder}, counts while it writes, and
 * gives a {@link io.offhook.testkit.traffic.Capture}: the file's bytes and the {@link io.offhook.testkit.truth.Truth} about them.
 * {@link io.offhook.testkit.traffic.Scenarios} has ready-made traffic by name, {@link io.offhook.testkit.traffic.TwoPoints} makes two
 * captures of one. The lower parts ({@link io.offhook.testkit.traffic.Ip},
 * {@link io.offhook.testkit.traffic.Transports}, {@link io.offhook.testkit.traffic.Link}, {@link io.offhook.testkit.traffic.SentConnection},
 * {@link io.offhook.testkit.traffic.CaptureWriter}...) serve tests of single layers.
 */
@NullMarked
package io.offhook.testkit.traffic;

import org.jspecify.annotations.NullMarked;
