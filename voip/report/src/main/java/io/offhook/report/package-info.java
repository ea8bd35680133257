/**
 * The fields of calls and streams, and the words for what was wrong with them: the same in the output of commands, in the
 * database and on the page. {@link io.offhook.report.CallFields} is the entry for calls, {@link
 * io.offhook.report.StreamFields} for streams, {@link io.offhook.report.ProblemText} for words.
 */
@NullMarked
package io.offhook.report;

import org.jspecify.annotations.NullMarked;
