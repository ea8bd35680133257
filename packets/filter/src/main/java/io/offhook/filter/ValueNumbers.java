package io.offhook.filter;

import java.util.HashMap;
import java.util.Map;

/**
 * Value numbering: an operation on equal value numbers always has the same number. Equal numbers are therefore equal
 * values, wherever they are computed. 0 is an unknown value.
 */
final class ValueNumbers {
    private record Operation(int code, int left, int right) {
        // written out, as in Optimizer: the methods generated for a record are linked on first use

        @Override
        public boolean equals(Object other) {
            return other instanceof Operation that && code == that.code && left == that.left && right == that.right;
        }

        @Override
        public int hashCode() {
            return (code * 31 + left) * 31 + right;
        }
    }

    private static final int CONSTANT = BpfOpcode.LD | BpfOpcode.IMM;

    private final Map<Operation, Integer> numbers = new HashMap<>();
    private final Map<Integer, Integer> constants = new HashMap<>();

    void clear() {
        numbers.clear();
        constants.clear();
    }

    int of(int code, int left, int right) {
        Operation operation = new Operation(code, left, right);
        Integer known = numbers.get(operation);
        if (known != null) {
            return known;
        }
        int number = numbers.size() + 1;
        numbers.put(operation, number);
        if (code == CONSTANT) {
            constants.put(number, left);
        }
        return number;
    }

    int ofConstant(int k) {
        return of(CONSTANT, k, 0);
    }

    boolean isConstant(int number) {
        return constants.containsKey(number);
    }

    /** The constant of a value number for which {@link #isConstant} holds. */
    int constant(int number) {
        Integer constant = constants.get(number);
        if (constant == null) {
            throw new IllegalArgumentException("value " + number + " is not a constant");
        }
        return constant;
    }
}
