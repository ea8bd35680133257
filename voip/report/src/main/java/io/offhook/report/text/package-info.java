/**
 * Numbers, times and words as people and programs read them, the same in every locale: {@link
 * io.offhook.report.text.Decimals}, {@link io.offhook.report.text.Times} for people, {@link io.offhook.report.text.TimeForm}
 * for programs, {@link io.offhook.report.text.Words} for sentences.
 */
@NullMarked
package io.offhook.report.text;

import org.jspecify.annotations.NullMarked;
