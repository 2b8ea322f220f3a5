#!/bin/sh
# Makes an exact host of the namespaces that it is started in, and is the first process there: all others end with it.
# Standard input is held open by the program that runs the job; descriptor 3 is the network namespace with the bridge `hosts`.
set -e
host=$1 address=$2 hosts_file=$3 opt_ml=$4 opt=$5
shift 5

# As Docker has it: root of the machine could set its core_pattern, or halt it.
for file in /proc/sys /proc/sysrq-trigger /proc/irq /proc/bus /proc/fs; do
  [ ! -e "$file" ] || { mount --bind "$file" "$file" && mount -o remount,bind,ro "$file"; }
done
for folder in "$@"; do
  # Flags that the machine has set stay: without them the kernel refuses the change.
  flags=$(findmnt --noheadings --output VFS-OPTIONS --target "$folder")
  mount --rbind "$folder" "$folder"
  mount -o "remount,bind,ro,${flags#rw,}" "$folder"
done

hostname "$host"
mount -t tmpfs -o mode=1777 tmpfs /dev/shm
mount --bind "$hosts_file" /etc/hosts
# They answer names from outside by way of a socket, and would not look into the hosts file.
for resolver in /run/nscd /run/systemd/resolve; do
  [ ! -d "$resolver" ] || mount -t tmpfs tmpfs "$resolver"
done

# /opt belongs to root, so that /opt/ml cannot be made there: another /opt, with the same entries, lies over it.
mount -t tmpfs -o mode=755 tmpfs "$opt"
for entry in /opt/* /opt/.[!.]*; do
  name=${entry##*/}
  if [ "$name" = ml ]; then
    continue
  elif [ -L "$entry" ]; then
    cp -P "$entry" "$opt/"
  elif [ -d "$entry" ]; then
    mkdir "$opt/$name"
    mount --rbind "$entry" "$opt/$name"
  elif [ -e "$entry" ]; then
    : > "$opt/$name"
    mount --bind "$entry" "$opt/$name"
  fi
done
mkdir "$opt/ml"
mount --bind "$opt_ml" "$opt/ml"
mount --rbind "$opt" /opt

ip link set lo up
ip link add eth0 type veth peer name "$host" netns /proc/self/fd/3
nsenter --net=/proc/self/fd/3 ip link set "$host" master hosts up
ip address add "$address/16" dev eth0
ip link set eth0 up
exec 3<&-

echo ready
# A script can neither kill nor halt the first process of its namespace, but a program that this one would wait for.
while read -r _; do :; done
