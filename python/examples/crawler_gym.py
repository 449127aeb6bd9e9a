"""A Gymnasium environment: a crawler of two feet and one muscle, on ground that holds better backward than
forward. It is to get ahead.

    python crawler_gym.py

The muscle is a spring whose rest length the action sets. A step of the environment is one interval of
control: the muscle goes from its length to the one that is asked for, at a constant rate.
"""

from pathlib import Path

import gymnasium
import numpy as np

import stiction

SCENE = Path(__file__).resolve().parents[2] / "scenes" / "crawler.toml"


class Crawler(gymnasium.Env):
    """Action: strain of the muscle to reach, −1 … 1 times ``stroke``. Observation: strain over ``stroke``,
    and the velocities of both feet over ``speed``. Reward: way ahead [mm]."""

    metadata = {"render_modes": []}

    def __init__(self, interval=0.1, stroke=0.1, speed=0.2, steps=40):
        self.interval, self.stroke, self.speed, self.most = interval, stroke, speed, steps
        self.action_space = gymnasium.spaces.Box(-1.0, 1.0, (1,), np.float32)
        self.observation_space = gymnasium.spaces.Box(-10.0, 10.0, (3,), np.float32)
        end = (steps + 1) * interval
        self.base = stiction.load(SCENE, {"time.end": end, "time.output": interval}, threads=1)

    def _seen(self):
        velocity = self.simulation.velocities[:, 0] / self.speed
        return np.clip([self.strain / self.stroke, *velocity], -10.0, 10.0).astype(np.float32)

    def _middle(self):
        return float(self.simulation.positions[:, 0].mean())

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        # where the muscle begins is drawn
        self.strain = float(self.np_random.uniform(-0.5, 0.5)) * self.stroke
        self.count = 0
        formula = f"1 + ({self.strain!r})*(1 - exp(-t/0.01))"
        self.simulation = self.base.set({"muscle.0.formula": formula}).simulate()
        self.simulation.advance_to(self.interval)
        return self._seen(), {}

    def step(self, action):
        target = float(np.clip(action[0], -1.0, 1.0)) * self.stroke
        start = self.simulation.time
        rate = (target - self.strain) / self.interval
        formula = f"{1.0 + self.strain!r} + ({rate!r})*(t - {start!r})"
        before = self._middle()
        self.simulation.change({"muscle.0.formula": formula})
        self.simulation.advance_to(start + self.interval)
        self.strain = target
        self.count += 1
        way = 1e3 * (self._middle() - before)
        return self._seen(), way, False, self.count >= self.most, {"verdict": str(self.simulation.verdict())}


def swing(environment, period=20):
    """The way of a muscle that swings evenly [mm]."""
    environment.reset(seed=1)
    way, over, count = 0.0, False, 0
    while not over:
        action = np.array([np.sin(2 * np.pi * count / period)], np.float32)
        _, reward, _, over, _ = environment.step(action)
        way, count = way + reward, count + 1
    return way


if __name__ == "__main__":
    from gymnasium.utils.env_checker import check_env

    check_env(Crawler())
    print(f"an even swing gets ahead by {swing(Crawler()):.1f} mm in 4 s")
