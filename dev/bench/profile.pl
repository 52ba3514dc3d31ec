#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Sums up the counts of count.c by function, the most expensive first.
# usage: profile.pl SYSTEM.MAP COUNTS
use strict;
use warnings;
no warnings 'portable';

my ($map, $counts) = @ARGV;
my (@address, @name, %sum, %calls, $all);

open my $in, '<', $map or die "profile: $map: $!\n";
while (<$in>) {
	my ($address, $type, $name) = split;
	next unless $type =~ /[tTwW]/ && $name !~ /^__pfx_/;
	push @address, hex $address;
	push @name, $name;
}
close $in;

sub symbol {
	my $at = shift;
	my ($low, $high) = (0, scalar @address);

	return 'user space' if $at < 1 << 47;
	return 'modules and trampolines' if $at >= 0xffffffffa0000000;
	while ($high - $low > 1) {
		my $middle = int(($low + $high) / 2);
		if ($address[$middle] <= $at) { $low = $middle } else { $high = $middle }
	}
	return ($at == $address[$low], $name[$low]);
}

open $in, '<', $counts or die "profile: $counts: $!\n";
while (<$in>) {
	my ($at, $instructions, $times) = split;
	my ($first, $name) = symbol(hex $at);
	($first, $name) = (0, $first) unless defined $name;
	$sum{$name} += $instructions * $times;
	$calls{$name} += $times if $first;
	$all += $instructions * $times;
}
printf "%12s %6s %10s  %s\n", 'instructions', '%', 'entered', 'function';
printf "%12d %6.2f %10s  %s\n", $sum{$_}, 100 * $sum{$_} / $all, $calls{$_} // '', $_
	for sort { $sum{$b} <=> $sum{$a} } keys %sum;
