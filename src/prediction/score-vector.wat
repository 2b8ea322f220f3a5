;; Reads a JSON list of numbers, each to the double that JSON.parse gives.
;;
;; Sixteen digits before the point and 32 after it are taken at once (Lemire and Muła 2018), and decimals become doubles by two multiplications with a power
;; of five in 128 bits (Lemire 2021, "Number parsing at a gigabyte per second", section 5; Mushtak and Lemire 2023 show that
;; no other path is needed). JavaScript has neither 64-bit integers that are fast nor sixteen bytes in one register.
;;
;; Memory, filled by score-vector-bytes.ts:
;;     0  32 bytes of zeros, then 32 of ones: which of 32 bytes are the last n
;;    64  10^n as u64, n = 0 … 16
;;   200  the largest w with w * 10^n + 10^n < 2^64
;;   512  5^q as u128, upper half first, q = -342 … 308
(module
  (memory (export "memory") 1)
  (data (i32.const 32)
    "\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff"
    "\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff")

  ;; Reads numbers from $at, after the opening bracket, into the doubles from $scores to $end.
  ;; Gives the place after the closing bracket; -1 where the text is anything else, or a number too long or too small.
  (func (export "read") (param $at i32) (param $scores i32) (param $end i32) (result i32)
    (local $byte i32) (local $negative i32) (local $down i32)
    (local $count i32) (local $digits i64) (local $leading i64)
    (local $mantissa i64) (local $power i32) (local $bits i64)
    (loop $number
      (local.set $at (call $skipSpace (local.get $at)))
      (local.set $negative (i32.eq (i32.load8_u (local.get $at)) (i32.const 0x2d)))
      (local.set $at (i32.add (local.get $at) (local.get $negative)))

      ;; before the point: zero alone, or 1 … 15 digits
      (local.set $count (i32.const 1))
      (local.set $mantissa (i64.const 0))
      (local.set $power (i32.const 0))
      (if (i32.ne (i32.load8_u (local.get $at)) (i32.const 0x30)) (then
        (call $digits (local.get $at))
        (local.set $mantissa)
        (local.set $count)
        (if (call $outside (local.get $count) (i32.const 1) (i32.const 15)) (then (return (i32.const -1))))))
      (local.set $at (i32.add (local.get $at) (local.get $count)))

      ;; after the point
      (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 0x2e)) (then
        (call $fraction (i32.add (local.get $at) (i32.const 1)))
        (local.set $digits)
        (local.set $leading)
        (local.set $count)
        ;; 18446744073709551615 is the largest mantissa.
        (if (i32.or
          (call $outside (local.get $count) (i32.const 1) (i32.const 31))
          (i64.gt_u (local.get $leading) (i64.const 1843)))
          (then (return (i32.const -1))))
        (local.set $digits (i64.add
          (i64.mul (local.get $leading) (i64.const 10000000000000000))
          (local.get $digits)))
        (if (i64.ne (local.get $mantissa) (i64.const 0)) (then
          (if (i32.gt_u (local.get $count) (i32.const 16)) (then (return (i32.const -1))))
          (if (i64.gt_u (local.get $mantissa) (i64.load offset=200 (i32.shl (local.get $count) (i32.const 3))))
            (then (return (i32.const -1))))
          (local.set $mantissa (i64.mul
            (local.get $mantissa)
            (i64.load offset=64 (i32.shl (local.get $count) (i32.const 3)))))))
        (local.set $mantissa (i64.add (local.get $mantissa) (local.get $digits)))
        (local.set $power (i32.sub (i32.const 0) (local.get $count)))
        (local.set $at (i32.add (i32.add (local.get $at) (i32.const 1)) (local.get $count)))))

      ;; exponent: e or E, a sign or none, 1 … 3 digits
      (if (i32.eq (i32.or (i32.load8_u (local.get $at)) (i32.const 0x20)) (i32.const 0x65)) (then
        (local.set $byte (i32.load8_u offset=1 (local.get $at)))
        (local.set $down (i32.eq (local.get $byte) (i32.const 0x2d)))
        (local.set $at (i32.add (i32.add (local.get $at) (i32.const 1))
          (i32.or (local.get $down) (i32.eq (local.get $byte) (i32.const 0x2b)))))
        (call $digits (local.get $at))
        (local.set $digits)
        (local.set $count)
        (if (call $outside (local.get $count) (i32.const 1) (i32.const 3)) (then (return (i32.const -1))))
        (local.set $at (i32.add (local.get $at) (local.get $count)))
        (local.set $power (select
          (i32.sub (local.get $power) (i32.wrap_i64 (local.get $digits)))
          (i32.add (local.get $power) (i32.wrap_i64 (local.get $digits)))
          (local.get $down)))))

      (local.set $bits (i64.const 0))
      (if (i64.ne (local.get $mantissa) (i64.const 0)) (then
        (if (call $outside (local.get $power) (i32.const -342) (i32.const 308)) (then (return (i32.const -1))))
        (local.set $bits (call $toDouble (local.get $mantissa) (local.get $power)))
        (if (i64.lt_s (local.get $bits) (i64.const 0)) (then (return (i32.const -1))))))
      (i64.store (local.get $scores)
        (i64.or (local.get $bits) (i64.shl (i64.extend_i32_u (local.get $negative)) (i64.const 63))))
      (local.set $scores (i32.add (local.get $scores) (i32.const 8)))

      (local.set $at (call $skipSpace (local.get $at)))
      (local.set $byte (i32.load8_u (local.get $at)))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (if (i32.lt_u (local.get $scores) (local.get $end)) (then
        (br_if $number (i32.eq (local.get $byte) (i32.const 0x2c)))
        (return (i32.const -1)))))
    (select (local.get $at) (i32.const -1) (i32.eq (local.get $byte) (i32.const 0x5d))))

  (func $skipSpace (param $at i32) (result i32)
    (local $byte i32)
    (loop $space
      (local.set $byte (i32.load8_u (local.get $at)))
      (if (i32.le_u (local.get $byte) (i32.const 0x20)) (then
        (if (i32.or
          (i32.or (i32.eq (local.get $byte) (i32.const 0x20)) (i32.eq (local.get $byte) (i32.const 0x0a)))
          (i32.or (i32.eq (local.get $byte) (i32.const 0x0d)) (i32.eq (local.get $byte) (i32.const 0x09))))
          (then
            (local.set $at (i32.add (local.get $at) (i32.const 1)))
            (br $space))))))
    (local.get $at))

  (func $outside (param $value i32) (param $least i32) (param $most i32) (result i32)
    (i32.gt_u
      (i32.sub (local.get $value) (local.get $least))
      (i32.sub (local.get $most) (local.get $least))))

  ;; How many of the next sixteen bytes are digits without a break, and their value.
  (func $digits (param $at i32) (result i32 i64)
    (local $count i32)
    (local.set $count (i32.ctz (i32.xor (call $isDigit (local.get $at)) (i32.const -1))))
    (local.get $count)
    (call $value
      (call $fours (i32.add (local.get $at) (local.get $count)) (i32.add (local.get $count) (i32.const 16)))
      (v128.const i32x4 0 0 0 0))
    (drop))

  ;; How many of the next 32 bytes are digits without a break, the value of all but the last sixteen, and of those.
  (func $fraction (param $at i32) (result i32 i64 i64)
    (local $count i32) (local $end i32)
    (local.set $count (i32.ctz (i32.xor (i32.const -1) (i32.or
      (call $isDigit (local.get $at))
      (i32.shl (call $isDigit (i32.add (local.get $at) (i32.const 16))) (i32.const 16))))))
    (local.set $end (i32.add (local.get $at) (local.get $count)))
    (local.get $count)
    (call $value
      (call $fours (i32.sub (local.get $end) (i32.const 16)) (local.get $count))
      (call $fours (local.get $end) (i32.add (local.get $count) (i32.const 16)))))

  ;; A bit for each of sixteen bytes.
  (func $isDigit (param $at i32) (result i32)
    (i8x16.bitmask (i8x16.lt_u
      (i8x16.sub (v128.load (local.get $at)) (i8x16.splat (i32.const 0x30)))
      (i8x16.splat (i32.const 10)))))

  ;; The sixteen digits before $end as four numbers; those that the table's 16 bytes at $mask leave out count as zeros.
  (func $fours (param $end i32) (param $mask i32) (result v128)
    (local $lanes v128)
    (local.set $lanes (v128.and
      (i8x16.sub
        (v128.load (i32.sub (local.get $end) (i32.const 16)))
        (i8x16.splat (i32.const 0x30)))
      (v128.load (local.get $mask))))
    (i32x4.dot_i16x8_s
      (v128.and (i16x8.splat (i32.const 0xff)) (i16x8.add
        (i16x8.mul (local.get $lanes) (i16x8.splat (i32.const 10)))
        (i16x8.shr_u (local.get $lanes) (i32.const 8))))
      (v128.const i16x8 100 1 100 1 100 1 100 1)))

  ;; Two times four numbers of four digits as two of sixteen.
  (func $value (param $leading v128) (param $last v128) (result i64 i64)
    (local $eights v128)
    (local.set $eights (i32x4.dot_i16x8_s
      (i16x8.narrow_i32x4_s (local.get $leading) (local.get $last))
      (v128.const i16x8 10000 1 10000 1 10000 1 10000 1)))
    (call $pair (i64x2.extract_lane 0 (local.get $eights)))
    (call $pair (i64x2.extract_lane 1 (local.get $eights))))

  (func $pair (param $eights i64) (result i64)
    (i64.add
      (i64.mul (i64.and (local.get $eights) (i64.const 0xffffffff)) (i64.const 100000000))
      (i64.shr_u (local.get $eights) (i64.const 32))))

  ;; Bits of the double nearest to $mantissa * 10^$power, $mantissa not zero; -1 where that is below 2^-1022 or infinite.
  (func $toDouble (param $mantissa i64) (param $power i32) (result i64)
    (local $five i32) (local $zeros i64) (local $upper i64) (local $lower i64) (local $further i64)
    (local $top i64) (local $shift i64) (local $fraction i64) (local $exponent i64)
    (local.set $zeros (i64.clz (local.get $mantissa)))
    (local.set $mantissa (i64.shl (local.get $mantissa) (local.get $zeros)))
    (local.set $five (i32.shl (i32.add (local.get $power) (i32.const 342)) (i32.const 4)))
    (call $multiply (local.get $mantissa) (i64.load offset=512 (local.get $five)))
    (local.set $upper)
    (local.set $lower)
    ;; The power's lower half matters only where a carry could reach the bits that are kept.
    (if (i64.eq (i64.and (local.get $upper) (i64.const 0x1ff)) (i64.const 0x1ff)) (then
      (call $multiply (local.get $mantissa) (i64.load offset=520 (local.get $five)))
      (local.set $further)
      (drop)
      (local.set $lower (i64.add (local.get $lower) (local.get $further)))
      (local.set $upper (i64.add (local.get $upper)
        (i64.extend_i32_u (i64.gt_u (local.get $further) (local.get $lower)))))))
    ;; 52 bits, the hidden one before them and one to round by
    (local.set $top (i64.shr_u (local.get $upper) (i64.const 63)))
    (local.set $shift (i64.add (local.get $top) (i64.const 9)))
    (local.set $fraction (i64.shr_u (local.get $upper) (local.get $shift)))
    ;; floor(power * log2(10)) + 63, biased by 1023
    (local.set $exponent (i64.add
      (i64.extend_i32_s (i32.add
        (i32.shr_s (i32.mul (local.get $power) (i32.const 217706)) (i32.const 16))
        (i32.const 1086)))
      (i64.sub (local.get $top) (local.get $zeros))))
    (if (i64.gt_u (i64.sub (local.get $exponent) (i64.const 1)) (i64.const 2045)) (then (return (i64.const -1))))
    ;; exactly half way, which only such powers can be: to even
    (if (i64.le_u (local.get $lower) (i64.const 1)) (then
      (if (i32.eqz (call $outside (local.get $power) (i32.const -4) (i32.const 23))) (then
        (if (i32.and
          (i64.eq (i64.and (local.get $fraction) (i64.const 3)) (i64.const 1))
          (i64.eq (i64.shl (local.get $fraction) (local.get $shift)) (local.get $upper)))
          (then (local.set $fraction (i64.sub (local.get $fraction) (i64.const 1)))))))))
    (local.set $fraction (i64.shr_u
      (i64.add (local.get $fraction) (i64.and (local.get $fraction) (i64.const 1)))
      (i64.const 1)))
    ;; A fraction rounded up to the next power of two carries into the exponent.
    (i64.add
      (i64.sub (local.get $fraction) (i64.const 0x10000000000000))
      (i64.shl (local.get $exponent) (i64.const 52))))

  ;; A product of 128 bits: its lower and its upper half.
  (func $multiply (param $a i64) (param $b i64) (result i64 i64)
    (local $a0 i64) (local $a1 i64) (local $b0 i64) (local $b1 i64) (local $low i64) (local $middle i64)
    (local.set $a0 (i64.and (local.get $a) (i64.const 0xffffffff)))
    (local.set $a1 (i64.shr_u (local.get $a) (i64.const 32)))
    (local.set $b0 (i64.and (local.get $b) (i64.const 0xffffffff)))
    (local.set $b1 (i64.shr_u (local.get $b) (i64.const 32)))
    (local.set $low (i64.add
      (i64.mul (local.get $a1) (local.get $b0))
      (i64.shr_u (i64.mul (local.get $a0) (local.get $b0)) (i64.const 32))))
    (local.set $middle (i64.add
      (i64.mul (local.get $a0) (local.get $b1))
      (i64.and (local.get $low) (i64.const 0xffffffff))))
    (i64.mul (local.get $a) (local.get $b))
    (i64.add
      (i64.mul (local.get $a1) (local.get $b1))
      (i64.add (i64.shr_u (local.get $low) (i64.const 32)) (i64.shr_u (local.get $middle) (i64.const 32))))))
