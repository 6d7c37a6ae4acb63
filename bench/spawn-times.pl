# The same as spawn-times.c, for where there is no compiler.
use strict;
use warnings;
use List::Util qw(shuffle);
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC);

my ($runs, $file, @words) = @ARGV;
open(my $source, '<:raw', $file) or die "$file: $!";
my $payload = do { local $/; <$source> };
my $place = index($payload, '#RUN##');
my @commands = ([]);
for my $word (@words) { if ($word eq '--') { push @commands, [] } else { push @{ $commands[-1] }, $word } }
$SIG{PIPE} = 'IGNORE';
my @times = map { [] } @commands;
for my $round (-3 .. $runs - 1) {
  for my $which (shuffle 0 .. $#commands) {
    substr($payload, $place, 6) = sprintf('%06d', ($round + 3) * @commands + $which) if $place >= 0;
    my $taken = run($commands[$which]);
    push @{ $times[$which] }, $taken if $round >= 0;
  }
}
print '[', join(',', map { sprintf '%.4f', $_ } @$_), "]\n" for @times;

sub run {
  my ($command) = @_;
  pipe(my $in_reader, my $in_writer) or die;
  pipe(my $out_reader, my $out_writer) or die;
  my $begun = clock_gettime(CLOCK_MONOTONIC);
  my $child = fork() // die;
  if ($child == 0) {
    $SIG{PIPE} = 'DEFAULT';
    open(STDIN, '<&', $in_reader);
    open(STDOUT, '>&', $out_writer);
    close $_ for $in_reader, $in_writer, $out_reader, $out_writer;
    exec { $command->[0] } @$command or exit 127;
  }
  close $in_reader;
  close $out_writer;
  for (my $written = 0; $written < length $payload;) {
    my $part = syswrite($in_writer, $payload, length($payload) - $written, $written) // last;
    $written += $part;
  }
  close $in_writer;
  1 while sysread($out_reader, my $answer, 65536);
  waitpid($child, 0);
  return (clock_gettime(CLOCK_MONOTONIC) - $begun) * 1000;
}
